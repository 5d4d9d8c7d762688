// How wide the page is, in the three steps of the layout.
const phone = matchMedia("(max-width: 760px)");
const wide = matchMedia("(min-width: 1181px)");

export const screen = $state({ isPhone: phone.matches, isWide: wide.matches });
phone.addEventListener("change", () => (screen.isPhone = phone.matches));
wide.addEventListener("change", () => (screen.isWide = wide.matches));
