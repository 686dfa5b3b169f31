import "../shared/style/base.css";
import "./style.css";
import { render } from "preact";
import { App } from "./app";
import { language, t } from "./texts";

document.documentElement.lang = language;
document.title = `${t.title} · ${t.name}`;
const root = document.getElementById("app");
if (root) render(<App />, root);
