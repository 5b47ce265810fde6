import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { defaultRolePrefix } from './db/roles.ts'

export const ProcessRole = z.enum(['web', 'sender', 'worker'])
export type ProcessRole = z.infer<typeof ProcessRole>

/** A setting that cannot be right, named, in one line. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

const flag = z.enum(['on', 'off', 'true', 'false', '1', '0']).transform((text) => ['on', 'true', '1'].includes(text))
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean),
)

/** `id:name:provider` each; a name may have colons of its own no more than a list has commas. */
const solutions = list.pipe(
  z.array(
    z
      .string()
      .regex(/^[^:]+:[^:]+:[^:]+$/, 'must be id:name:provider each')
      .transform((text) => {
        const [solutionId = '', name = '', provider = ''] = text.split(':').map((part) => part.trim())
        return { solutionId, name, provider }
      }),
  ),
)

const mostProxies = 10

/** How many proxies there are, or their addresses. Believing all of them would believe what any client writes. */
const trustedProxies = z.string().transform((text, context): false | number | string[] => {
  if (/^(off|false|0)$/i.test(text)) return false
  if (/^\d+$/.test(text) && Number(text) <= mostProxies) return Number(text)
  const networks = text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
  if (networks.length > 0 && networks.every(isNetwork)) return networks
  context.addIssue(
    'write how many reverse proxies are in front, such as 1, or their addresses, such as 10.0.0.0/8,192.0.2.1; off for none',
  )
  return z.NEVER
})

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128))
  )
}

/** Every setting, read once at start from the environment. docs/configuration.md is generated from these descriptions. */
export const Settings = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000).describe('Port of the web server'),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe(
      'Port of a second server, on HOST, with /metrics and /health only; the one way to them in a process without the web role. Unset: none',
    ),
  HOST: z.string().default('127.0.0.1').describe('Address the web server listens on; 0.0.0.0 for every interface'),
  PUBLIC_URL: z
    .url()
    .optional()
    .describe('Address people and providers reach the product under; default http://HOST:PORT'),
  DATA_DIR: z.string().default('.data').describe('Folder of the embedded database, uploads and the secret key'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional()
    .describe('A PostgreSQL 15 or later to use instead of the embedded one'),
  DATABASE_ROLE_PREFIX: z
    .string()
    .regex(/^(?!pg_)[a-z][a-z0-9_]{0,39}$/, 'must be up to 40 small letters, digits and _, and not begin with pg_')
    .default(defaultRolePrefix)
    .describe(
      'Beginning of the names of the two database roles, such as carillon_app; installations on one server with users of their own need different ones',
    ),
  DEMO: flag
    .optional()
    .describe(
      'Fill an empty database with the demo cast and run the simulator; default on with the embedded database, off with DATABASE_URL',
    ),
  SIMULATOR: flag
    .optional()
    .describe(
      'Run the operators’ simulator in this process, or use the one that another process of the installation runs on this machine; default as DEMO',
    ),
  SIMULATOR_SMSC_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(0)
    .describe('Port of the simulator’s SMPP server; 0 takes a free one'),
  SIMULATOR_HTTP_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(3080)
    .describe('Port of the simulator’s HTTP gateway and handset page; 0 takes a free one'),
  SECRET_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits')
    .optional()
    .describe('Key that encrypts providers’ secrets; default: made once and kept in DATA_DIR'),
  SECRET_KEY_PREVIOUS: list
    .pipe(z.array(z.string().regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits each')))
    .default([])
    .describe('Keys that came before SECRET_KEY, comma separated: what they sealed still opens'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('What the log tells'),
  TRUST_PROXY: trustedProxies
    .default(false)
    .describe(
      'Reverse proxies in front whose X-Forwarded-* headers are believed: how many there are, such as 1, or their addresses and networks, comma separated, such as 10.0.0.0/8; off for none',
    ),
  REQUESTS_PER_SECOND: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(200)
    .describe('Calls one address may make a second, averaged over ten'),
  DATABASE_POOL: z.coerce
    .number()
    .int()
    .min(2)
    .max(200)
    .default(20)
    .describe('Connections for requests; the engine takes as many again at most'),
  EGRESS_ALLOW: list
    .default([])
    .describe(
      'host:port pairs that providers may be reached on, by HTTP or SMPP, although they are not public, comma separated',
    ),
  EGRESS_PORTS: list
    .default([])
    .describe(
      'Ports besides 80 and 443 that public providers may be called on by HTTP, comma separated; SMPP may use any',
    ),
  REALTIME_ACCEPT_SESSION_TOKEN: flag
    .default(true)
    .describe('Let the socket be opened with the session token as well as with a ticket'),
  SYNCHRONOUS_FAILOVER: flag
    .default(false)
    .describe(
      'PostgreSQL fails over to synchronous replicas only, so that a failover loses nothing and does not pause sending as a restore does',
    ),
  DRAIN_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(60)
    .optional()
    .describe(
      'Seconds between SIGTERM and the end of serving, in which /health/ready says no and balancers send people elsewhere; default 5 with DATABASE_URL, 0 with the embedded database',
    ),
  SESSION_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .max(168)
    .default(12)
    .describe('Hours after which a session ends whatever happens'),
  RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(7)
    .max(3650)
    .default(180)
    .describe('Days that messages and the providers’ raw words are kept'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .optional()
    .describe(
      'Mail server with user and password, such as smtps://user:password@mail.example.com; without, mails stay in the database',
    ),
  MAIL_FROM: z
    .string()
    .max(200)
    .default('Carillon <no-reply@localhost>')
    .describe('Sender of mails where a brand does not name its own'),
  META_APP_ID: z
    .string()
    .regex(/^\d{5,25}$/, 'must have digits only')
    .optional()
    .describe('App at Meta that customers connect WhatsApp with in Meta’s own sign-up; without, they connect by hand'),
  META_APP_SECRET: z.string().max(200).optional().describe('Secret of that app'),
  META_CONFIGURATION_ID: z
    .string()
    .regex(/^\d{5,25}$/, 'must have digits only')
    .optional()
    .describe('Configuration of Facebook Login for Business that the sign-up uses'),
  META_SOLUTIONS: solutions
    .default([])
    .describe('Solutions of Meta partners that sign-ups may go through, as id:name:provider, comma separated'),
  GRAPH_URL: z
    .url()
    .optional()
    .describe('Address of Meta’s Graph API for accounts that sign up; default https://graph.facebook.com'),
  GRAPH_VERSION: z
    .string()
    .regex(/^v\d{2}\.\d$/, 'is written v25.0')
    .default('v25.0')
    .describe('Version of the Graph API that sign-ups use'),
  FAIL_POINTS: z.string().optional().describe('For crash tests only: where this process ends itself'),
})
export type Settings = z.infer<typeof Settings>

export type Config = Omit<Settings, 'DEMO' | 'SIMULATOR' | 'DRAIN_SECONDS'> & {
  demo: boolean
  simulator: boolean
  drainSeconds: number
  dataDirectory: string
  roles: ReadonlySet<ProcessRole>
  /** The database was restored in a way that cannot be recognised: sending begins paused. */
  isAfterRestore: boolean
}

/** Reads the environment and the `--run=` flag. Throws a ConfigError that names the setting. */
export function readConfig(environment: NodeJS.ProcessEnv, flags: readonly string[]): Config {
  const set = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => name in Settings.shape && value !== ''),
  )
  const parsed = Settings.safeParse(set)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new ConfigError(`${issue?.path.join('.') ?? 'A setting'} is wrong: ${issue?.message ?? ''}`)
  }
  const { DEMO, SIMULATOR, DRAIN_SECONDS, ...settings } = parsed.data
  const isEmbedded = settings.DATABASE_URL === undefined
  const demo = DEMO ?? isEmbedded
  return {
    ...settings,
    demo,
    simulator: SIMULATOR ?? demo,
    drainSeconds: DRAIN_SECONDS ?? (isEmbedded ? 0 : 5),
    dataDirectory: resolve(settings.DATA_DIR),
    roles: readRoles(flags),
    isAfterRestore: flags.includes(afterRestore),
  }
}

const afterRestore = '--after-restore'

function readRoles(flags: readonly string[]): ReadonlySet<ProcessRole> {
  const run = flags.find((text) => text.startsWith('--run='))
  const unknown = flags.find((text) => text !== run && text !== afterRestore)
  if (unknown) throw new ConfigError(`${unknown} is not a flag; there are --run=web,sender,worker and ${afterRestore}`)
  if (!run) return new Set(ProcessRole.options)
  return new Set(
    run
      .slice('--run='.length)
      .split(',')
      .map((name) => {
        const role = ProcessRole.safeParse(name)
        if (!role.success) throw new ConfigError(`--run takes web, sender and worker, not ${name}`)
        return role.data
      }),
  )
}
