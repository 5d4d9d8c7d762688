// The pages in other languages: chosen by the settings or by the browser, and from right to left.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible, createMatch, launch, middle, Server, site, visit } from "./kit.mjs";

let browser, server;
before(async () => {
  [browser, server] = await Promise.all([launch(), Server.start()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test("a browser that prefers German gets German pages and a German board", async () => {
  const page = await visit(browser, server, "/", { locale: "de-AT" });
  await page.getByText("Jetzt Schach spielen").first().waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "de");
  await accessible(page, "the library in German");
  const match = await createMatch(server, "chess");
  await page.goto(`${server.address}/m/${match.id}?key=${match.key}`);
  await site(page, "e2").waitFor();
  assert.match(await site(page, "e2").getAttribute("aria-label"), /Bauer Weiß, 2 Züge/);
  await accessible(page, "a match in German");
  await page.leave();
});

test("the language chosen in the settings is used at once and stays", async () => {
  const page = await visit(browser, server, "/settings/look");
  await page.getByLabel("Language").selectOption("es");
  await page.getByRole("heading", { name: "Apariencia" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Apariencia" }).waitFor();
  await accessible(page, "the settings in Spanish");
  await page.getByLabel("Idioma").selectOption("system");
  await page.getByRole("heading", { name: "Appearance" }).waitFor();
  await page.leave();
});

test("text runs from right to left, but boards are not mirrored", async () => {
  const match = await createMatch(server, "chess");
  const page = await visit(browser, server, "/keys", { guest: true });
  await page.evaluate(() => localStorage.setItem("bw.prefs", '{"language":"en-XB"}'));
  for (const path of ["/", "/settings/look", "/g/chess/0", `/m/${match.id}?key=${match.key}`]) {
    await page.goto(server.address + path);
    await page.waitForFunction(() => document.body.innerText.includes("⟦"));
    assert.equal(await page.locator("html").getAttribute("dir"), "rtl");
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.ok(wider <= 0, `${path} is ${wider} px too wide`);
  }
  await site(page, "a1").waitFor();
  const [a1, h8] = [await middle(page, "a1"), await middle(page, "h8")];
  assert.ok(a1[0] < h8[0] && a1[1] > h8[1], "a1 is at the lower left");
  await page.leave();
});
