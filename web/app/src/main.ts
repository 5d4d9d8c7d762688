import { mount } from "svelte";
import App from "./App.svelte";
import { speak, storedLanguage } from "./lib/language.svelte";
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
// words first: a page in English that turns German is worse than a moment of nothing
void speak(storedLanguage()).then(() => target && mount(App, { target }));
