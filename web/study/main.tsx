import "../shared/style/base.css";
import "../shared/style/score.css";
import "./style.css";
import { render } from "preact";
import { App } from "./app";

const root = document.getElementById("app");
if (root) render(<App />, root);
