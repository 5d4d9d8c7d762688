import { mount } from "svelte";
import App from "./App.svelte";
import { takeKey } from "./lib/owner";
import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/kit.css";

takeKey();
// the link with the key, opened in a page that is here already
addEventListener("hashchange", () => {
  if (takeKey()) location.reload();
});
const target = document.getElementById("app");
if (target) mount(App, { target });
