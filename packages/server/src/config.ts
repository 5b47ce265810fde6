import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { defaultRolePrefix } from './db/roles.ts'

export const ProcessRole = z.enum(['web', 'sender', 'worker'])
export type ProcessRole = z.infer<typeof ProcessRole>

/** An invalid setting, with its name, in one line. */
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

/** `id:name:provider`, comma-separated; names contain neither colons nor commas. */
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

/** Number of proxies, or their addresses. Trusting any proxy would trust anything a client sends. */
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
  SMPP_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe('Port on HOST at which customers send by SMPP (docs/smpp.md); 0 takes a free one. Unset: none'),
  METRICS_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe(
      'Port of a second server on HOST with only /metrics and /health, required for them in a process without the web role. Unset: none',
    ),
  HOST: z.string().default('127.0.0.1').describe('Address the web server listens on; 0.0.0.0 for every interface'),
  PUBLIC_URL: z.url().optional().describe('Public base URL for browsers and providers; default http://HOST:PORT'),
  DATA_DIR: z.string().default('.data').describe('Folder of the embedded database, uploads and the secret key'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional()
    .describe('URL of a PostgreSQL 15 or later, used instead of the embedded one'),
  DATABASE_ROLE_PREFIX: z
    .string()
    .regex(/^(?!pg_)[a-z][a-z0-9_]{0,39}$/, 'must be up to 40 small letters, digits and _, and not begin with pg_')
    .default(defaultRolePrefix)
    .describe(
      'Prefix of the two database roles, such as carillon_app; installations with separate users on one server need different prefixes',
    ),
  DEMO: flag
    .optional()
    .describe(
      'Fill an empty database with demo data and run the simulator; default on with the embedded database, off with DATABASE_URL',
    ),
  SIMULATOR: flag
    .optional()
    .describe(
      'Run the simulator of operators, Meta and Google in this process, or use the one of another process of this installation on this machine; default as DEMO',
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
    .describe('Key that encrypts provider secrets; default: generated once and stored in DATA_DIR'),
  SECRET_KEY_PREVIOUS: list
    .pipe(z.array(z.string().regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits each')))
    .default([])
    .describe('Previous values of SECRET_KEY, comma separated, to decrypt older secrets'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Log level'),
  TRUST_PROXY: trustedProxies
    .default(false)
    .describe(
      'Reverse proxies whose X-Forwarded-* headers are trusted: their number, such as 1, or their addresses and networks, comma separated, such as 10.0.0.0/8; off for none',
    ),
  REQUESTS_PER_SECOND: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(200)
    .describe('Maximum calls per second and client address, averaged over ten seconds'),
  API_KEY_REQUESTS_PER_SECOND: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(1000)
    .describe(
      'Maximum calls per second and API key, in each process; also of keys whose config names more. They do not count in REQUESTS_PER_SECOND',
    ),
  DATABASE_POOL: z.coerce
    .number()
    .int()
    .min(2)
    .max(200)
    .default(20)
    .describe('Database connections for requests; the engine uses at most as many again'),
  EGRESS_ALLOW: list
    .default([])
    .describe('Private host:port pairs that providers and webhooks may use over HTTP or SMPP, comma separated'),
  EGRESS_PORTS: list
    .default([])
    .describe(
      'Ports besides 80 and 443 allowed for HTTP to public providers and webhooks, comma separated; SMPP may use any port',
    ),
  REALTIME_ACCEPT_SESSION_TOKEN: flag
    .default(true)
    .describe('Allow opening the socket with the session token as well as with a ticket'),
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
      'Seconds to continue serving after SIGTERM while /health/ready fails, so that load balancers switch over; default 5 with DATABASE_URL, 0 with the embedded database',
    ),
  SESSION_HOURS: z.coerce.number().int().min(1).max(168).default(12).describe('Maximum session duration in hours'),
  RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(7)
    .max(3650)
    .default(180)
    .describe('Retention of messages, raw provider payloads and the request log in days'),
  REACH_BATCH: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(10_000)
    .describe('Numbers per request when checking which recipients a channel reaches'),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .optional()
    .describe(
      'Mail server with user and password, such as smtps://user:password@mail.example.com; without it, mails stay in the database',
    ),
  MAIL_FROM: z
    .string()
    .max(200)
    .default('Carillon <no-reply@localhost>')
    .describe('Default sender of mails; brands can set their own'),
  META_APP_ID: z
    .string()
    .regex(/^\d{5,25}$/, 'must have digits only')
    .optional()
    .describe('Meta app for embedded sign-up; without it, customers connect their accounts manually'),
  META_APP_SECRET: z.string().max(200).optional().describe('App secret of META_APP_ID'),
  META_CONFIGURATION_ID: z
    .string()
    .regex(/^\d{5,25}$/, 'must have digits only')
    .optional()
    .describe('Configuration of Facebook Login for Business that the sign-up uses'),
  META_SOLUTIONS: solutions
    .default([])
    .describe('Meta partner solutions available for sign-up, as id:name:provider, comma separated'),
  GRAPH_URL: z
    .url()
    .optional()
    .describe('Address of Meta’s Graph API for accounts that sign up; default https://graph.facebook.com'),
  GRAPH_VERSION: z
    .string()
    .regex(/^v\d{2}\.\d$/, 'is written v25.0')
    .default('v25.0')
    .describe('Version of the Graph API that sign-ups use'),
  FAIL_POINTS: z.string().optional().describe('For crash tests only: points at which this process kills itself'),
})
export type Settings = z.infer<typeof Settings>

export type Config = Omit<Settings, 'DEMO' | 'SIMULATOR' | 'DRAIN_SECONDS'> & {
  demo: boolean
  simulator: boolean
  drainSeconds: number
  dataDirectory: string
  roles: ReadonlySet<ProcessRole>
  /** The database was restored in a way that cannot be detected: sending starts paused. */
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
