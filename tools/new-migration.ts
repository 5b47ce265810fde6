/** `npm run db:new -- add_voice_calls`: the next numbered migration. Forward only; expand first, contract in a later release. */
import { readdirSync, writeFileSync } from 'node:fs'

const directory = 'packages/server/src/db/migrations'
const name = process.argv[2]

if (!name || !/^[a-z][a-z\d]*(?:_[a-z\d]+)*$/.test(name)) {
  console.error('npm run db:new -- a_name_like_this')
  process.exit(1)
}

const numbers = readdirSync(directory).map((file) => Number(file.slice(0, 4)))
const next = String(Math.max(0, ...numbers) + 1).padStart(4, '0')
const file = `${directory}/${next}_${name}.sql`

writeFileSync(
  file,
  `-- Why, in a sentence. A table of an organisation has organization_id first in every key, row level security enabled and
-- forced, and the policies tenant, system and owner; a test reads the catalogue. Then: npm run db:types

`,
  { flag: 'wx' },
)
console.log(`wrote ${file}`)
