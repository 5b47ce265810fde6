/** `npm start`: builds the web app if its sources changed, then starts the server. */
import { buildWebIfChanged } from './build-web.ts'

buildWebIfChanged()
await import('../packages/server/src/main.ts')
