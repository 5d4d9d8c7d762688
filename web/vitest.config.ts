import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: { alias: { $board: at('board/src/index.ts'), $protocol: at('protocol/index.ts') } },
  test: { include: ['board/test/**/*.test.ts'] },
});
