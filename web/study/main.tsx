import "../shared/style/base.css";
import "../shared/style/score.css";
import "./style.css";
import { render } from "preact";
import { App } from "./app";
import { language } from "./texts";

document.documentElement.lang = language;
const root = document.getElementById("app");
if (root) render(<App />, root);
