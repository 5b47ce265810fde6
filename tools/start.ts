/** `npm start`: builds the browser's files when their sources changed, then becomes the server. */
import { buildWebIfChanged } from './build-web.ts'

buildWebIfChanged()
await import('../packages/server/src/main.ts')
