import { parseArgs } from 'node:util'
import { inBackground } from './background.ts'
import { startSimulator } from './index.ts'
import { isScenario, scenarios } from './scenarios.ts'

const { values: flags } = parseArgs({
  options: {
    'smsc-port': { type: 'string', default: process.env.SMSC_PORT ?? '2775' },
    'http-port': { type: 'string', default: process.env.HTTP_PORT ?? '3001' },
    host: { type: 'string', default: process.env.HOST ?? '127.0.0.1' },
    seed: { type: 'string', default: process.env.SEED ?? '1' },
    scenario: { type: 'string', default: process.env.SCENARIO ?? 'calm' },
    magic: { type: 'string', default: process.env.MAGIC ?? 'on' },
    'handset-log': { type: 'string', default: process.env.HANDSET_LOG ?? '' },
  },
})

const { scenario } = flags
if (!isScenario(scenario)) fail(`scenario must be one of ${Object.keys(scenarios).join(', ')}`)

const simulator = await startSimulator({
  host: flags.host,
  smscPort: readPort('smsc-port', flags['smsc-port']),
  httpPort: readPort('http-port', flags['http-port']),
  scenario,
  faults: { seed: readWhole('seed', flags.seed), magicNumbers: flags.magic !== 'off' },
  handsetFile: flags['handset-log'] || undefined,
})
console.log(JSON.stringify({ smsc: simulator.smscPort, http: simulator.httpPort }))

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => inBackground(simulator.close().then(() => process.exit(0))))

function readWhole(name: string, text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 0) fail(`${name} must be a whole number, not ${text}`)
  return number
}

function readPort(name: string, text: string): number {
  const port = readWhole(name, text)
  if (port > 65_535) fail(`${name} must be at most 65535, not ${text}`)
  return port
}

function fail(reason: string): never {
  console.error(reason)
  process.exit(1)
}
