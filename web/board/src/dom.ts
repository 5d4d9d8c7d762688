// Small helpers for building elements. Text only ever goes in by textContent.
const SVG = "http://www.w3.org/2000/svg";

export type Attributes = Record<string, string | number | null | undefined>;

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Element[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  setAll(element, attributes);
  element.append(...children);
  return element;
}

export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Element | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setAll(element, attributes);
  element.append(...children);
  return element;
}

export function setAll(element: Element, attributes: Attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) element.removeAttribute(name);
    else set(element, name, String(value));
  }
}

/** Writes an attribute only if it differs, so that unchanged nodes cost no layout. */
export function set(element: Element, name: string, value: string) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Where the last press of any pointer began; undefined until somebody asks for it. */
let pressed: EventTarget | null | undefined;

/**
 * Calls `act` when a button is pressed. A tap that brings a button up under the finger ends in a
 * click on it, although it began elsewhere: such a click is not meant for the button.
 */
export function onPress(button: HTMLElement, act: () => void) {
  if (pressed === undefined) {
    pressed = null;
    document.addEventListener("pointerdown", (event) => (pressed = event.target), true);
  }
  button.addEventListener("click", (event) => {
    // keyboards and assistive technology click without a pointer
    const isMeant = event.detail === 0 || (pressed instanceof Node && button.contains(pressed));
    if (isMeant) act();
  });
}

let counter = 0;
/** An id for references within the page; several boards may share it. */
export function freshId(what: string): string {
  counter += 1;
  return `bw-${what}-${counter}`;
}
