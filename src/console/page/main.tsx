import { render } from "preact";
import { App } from "./shell/app.jsx";
import { connect } from "./connection/connect.js";

const root = document.getElementById("page");
if (root === null) throw new Error("the page has no #page");
connect();
render(<App />, root);
