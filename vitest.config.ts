import { defineConfig } from 'vitest/config'

// One run over all packages, from source: the condition resolves `@sess/*` to TypeScript, so nothing is built first.
export default defineConfig({
  resolve: { conditions: ['@sess/source'] },
  ssr: { resolve: { conditions: ['@sess/source'] } },
  test: {
    include: ['{packages,apps,examples}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 20_000,
    slowTestThreshold: 5000,
  },
})
