import { z } from 'zod'

type SettingSchema = {
  type?: string
  enum?: string[]
  description?: string
  minimum?: number
  maximum?: number
  pattern?: string
}

const opening = `# Settings

Every setting is an environment variable, read once at start. The start fails with the name of an invalid one. This page is generated from the
program's own table by \`npm run docs\`.

| Setting | Default | Takes | What it does |
|---|---|---|---|
`

const closing = `
Which parts one process runs is a flag, not a setting: \`--run=web,sender,worker\` (default: all three). docs/operations.md explains
when to use it.
`

export function writeConfigurationPage(settings: z.ZodObject): string {
  const schema = z.toJSONSchema(settings, { io: 'input', unrepresentable: 'any' })
  const defaults = settings.parse({})
  const rows = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    // Narrows zod's JSON Schema type to the parts shown on this page.
    const setting = property as SettingSchema
    return `| \`${name}\` | ${describeDefault(defaults[name])} | ${describeValues(setting)} | ${setting.description ?? ''} |`
  })
  return `${opening}${rows.join('\n')}\n${closing}`
}

function describeDefault(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'boolean') return value ? '`on`' : '`off`'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : `\`${value.join(',')}\``
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

function describeValues({ type, enum: options, minimum, maximum, pattern }: SettingSchema): string {
  if (options?.includes('off')) return '`on`, `off`'
  if (options) return options.map((option) => `\`${option}\``).join(', ')
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  if (pattern) return 'text in a fixed format'
  return type === undefined || type === 'string' ? 'text' : type
}
