// Builds the demo page once and serves it as strictly as the real server does.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import type { TestProject } from "vitest/node";

const demo = fileURLToPath(new URL("../../demo", import.meta.url));
const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
};
const POLICY = "default-src 'self'; img-src 'self' data: blob:; style-src 'self'";

declare module "vitest" {
  export interface ProvidedContext {
    address: string;
  }
}

export default async function setup(project: TestProject) {
  await build({ configFile: join(demo, "vite.config.ts"), logLevel: "error" });
  const server = createServer((request, answer) => {
    const path = new URL(request.url ?? "/", "http://demo").pathname;
    const file = join(demo, "dist", path === "/" ? "index.html" : path);
    answer.setHeader("content-security-policy", POLICY);
    try {
      const bytes = readFileSync(file);
      answer.setHeader("content-type", TYPES[extname(file)] ?? "application/octet-stream");
      answer.end(bytes);
    } catch {
      answer.statusCode = path === "/favicon.ico" ? 204 : 404;
      answer.end();
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  project.provide("address", `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
  return () => {
    server.close();
  };
}
