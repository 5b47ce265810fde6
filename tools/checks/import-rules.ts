/** The import rules of this repository. Each rule returns the violation, or undefined. */
export type ImportRule = (from: string, to: string) => string | undefined

/** The modules in order: each may call those before it, through their index.ts. */
export const moduleLine = [
  'audit',
  'mails',
  'notifications',
  'accounts',
  'auth',
  'balance',
  'users',
  'files',
  'brands',
  'saved-views',
  'senders',
  'templates',
  'audience',
  'sending-rules',
  'restores',
  'links',
  'messages',
  'campaigns',
  'conversations',
  'ai-agents',
  'workflows',
  'api-keys',
  'webhooks',
  'sandbox',
  'public-api',
  'smpp-server',
  'reports',
  'report-files',
  'report-schedules',
  'support',
  'request-log',
]

/** The server's layers from the lowest; a folder may import its own layer and those below. */
const serverLayers = [
  ['lib'],
  ['config.ts', 'db'],
  ['actor.ts'],
  ['egress', 'events', 'http', 'jobs', 'realtime'],
  ['modules'],
  ['channel calls'],
  ['wiring'],
  ['app.ts', 'demo', 'simulator.ts'],
  ['main.ts'],
]

/** Lists the calls of all channels. */
const callsTable = 'packages/server/src/channels/calls.ts'

/** What a folder may import outside itself; `channels` is an exception because it contains nothing but the protocols. */
const channelsMayUse = ['lib', 'egress']

/** The web's layers from the highest. */
const webLayers = ['main.tsx', 'app', 'features', 'channels', 'ui', 'lib']

export const importRules: ImportRule[] = [
  checkPackages,
  checkServer,
  checkModules,
  checkChannels,
  checkProviders,
  checkCalls,
  checkWeb,
  checkWebChannels,
  checkTesting,
]

function checkPackages(from: string, to: string): string | undefined {
  const [source, target] = [packageOf(from), packageOf(to)]
  if (!source || !target || source === target) return undefined
  const allowed: Record<string, string[]> = {
    contract: [],
    simulator: [],
    web: ['contract'],
    server: ['contract', 'simulator'],
    sdk: [],
    cli: ['sdk'],
  }
  if (!allowed[source]?.includes(target)) return `${source} does not import ${target}`
  const isStart = isTest(from) || from === 'packages/server/src/simulator.ts'
  return target === 'simulator' && !isStart ? 'only the start of the program and tests import the simulator' : undefined
}

function checkServer(from: string, to: string): string | undefined {
  const [source, target] = [serverFolderOf(from), serverFolderOf(to)]
  if (!source || !target || source === target || isTest(from)) return undefined
  const [lower, upper] = [layerOf(target), layerOf(source)]
  if (lower < 0 || upper < 0 || lower <= upper) return undefined
  return `${source} is a lower layer than ${target} and may not import it`
}

/** The calls of a single channel are in its folder, but above the modules that they call; a table lists them. */
function serverFolderOf(path: string): string | undefined {
  return callsOf(path) || path === callsTable ? 'channel calls' : folderOf('server', path)
}

function checkCalls(from: string, to: string): string | undefined {
  if (isTest(from)) return undefined
  const source = callsOf(from)
  const target = /^packages\/server\/src\/channels\/([\w-]+)\//.exec(to)?.[1]
  if (source && target && source !== target) return `the calls of ${source} do not import ${target}`
  return source ? undefined : checkCallsTable(from, to)
}

/** Only the wiring, above the calls, imports them, through their table. */
function checkCallsTable(from: string, to: string): string | undefined {
  const source = folderOf('server', from)
  if (!source || serverFolderOf(to) !== 'channel calls' || layerOf(source) <= layerOf('channel calls')) return undefined
  return source === 'wiring' && to === callsTable ? undefined : `${callsTable} is imported by the wiring only`
}

function callsOf(path: string): string | undefined {
  return /^packages\/server\/src\/channels\/([\w-]+)\/calls\//.exec(path)?.[1]
}

function layerOf(folder: string): number {
  return serverLayers.findIndex((layer) => layer.includes(folder))
}

function checkModules(from: string, to: string): string | undefined {
  const target = moduleOf(to)
  const source = moduleOf(from)
  if (!target || source === target) return undefined
  const isIndex = to === `packages/server/src/modules/${target}/index.ts`
  if (!source)
    return isIndex || isTest(from) || !from.startsWith('packages/server/')
      ? undefined
      : `${target} is imported through its index.ts only`
  if (isTest(from)) return undefined
  if (!isIndex) return `${target} is imported through its index.ts only`
  return moduleLine.indexOf(target) < moduleLine.indexOf(source)
    ? undefined
    : `${source} comes before ${target} and may not call it`
}

function checkChannels(from: string, to: string): string | undefined {
  const target = serverFolderOf(to)
  if (serverFolderOf(from) !== 'channels' || isTest(from) || !target || target === 'channels') return undefined
  return channelsMayUse.includes(target) ? undefined : `channels may not import ${target}`
}

/** Files directly in channels/ are the interface: types and registries. The folders in it belong to the providers. */
function checkProviders(from: string, to: string): string | undefined {
  const target = providerOf(to)
  if (!target || isTest(from) || !packageOf(from)) return undefined
  const source = providerOf(from)
  if (source) return source === target ? undefined : 'a provider does not import another provider'
  return serverFolderOf(from) === 'channels' ? undefined : 'a provider is imported through the registry only'
}

function checkWeb(from: string, to: string): string | undefined {
  const [source, target] = [folderOf('web', from), folderOf('web', to)]
  if (!source || !target || isTest(from)) return undefined
  if (source === target)
    return source === 'features' && featureOf(from) !== featureOf(to)
      ? 'a feature does not import a feature'
      : undefined
  const [above, below] = [webLayers.indexOf(source), webLayers.indexOf(target)]
  return above >= 0 && below >= 0 && above > below
    ? `${source} is a lower layer than ${target} and may not import it`
    : undefined
}

/** The tables of the web that list every channel; they alone look into the channels' folders. */
const channelTables = ['index.ts', 'screens.ts', 'templates.ts', 'chats.ts', 'phone/phone-message.ts'].map(
  (file) => `packages/web/src/channels/${file}`,
)

function checkWebChannels(from: string, to: string): string | undefined {
  const target = webChannelOf(to)
  if (!target || isTest(from) || folderOf('web', from) === undefined) return undefined
  const source = webChannelOf(from)
  if (source) return source === target ? undefined : 'a channel does not import another channel'
  return channelTables.includes(from) ? undefined : 'a channel is reached through the tables of channels/'
}

function checkTesting(from: string, to: string): string | undefined {
  if (isTest(from) || /^(?:tools|bench|e2e)\//.test(from)) return undefined
  return isTest(to) ? 'production code does not import test code' : undefined
}

function isTest(path: string): boolean {
  return (
    /\.test\.tsx?$|\.gallery\.tsx$|\/testing\/|\/testing\.ts$|\/test-[\w-]+\.ts$|\.d\.ts$/.test(path) ||
    path.startsWith('e2e/')
  )
}

function packageOf(path: string): string | undefined {
  return /^packages\/([\w-]+)\//.exec(path)?.[1]
}

function folderOf(name: string, path: string): string | undefined {
  return new RegExp(`^packages/${name}/src/([\\w.-]+)`).exec(path)?.[1]
}

function moduleOf(path: string): string | undefined {
  return /^packages\/server\/src\/modules\/([\w-]+)\//.exec(path)?.[1]
}

function featureOf(path: string): string | undefined {
  return /^packages\/web\/src\/features\/([\w-]+)/.exec(path)?.[1]
}

/** `parts` and `phone` are what several channels' screens are built from. */
function webChannelOf(path: string): string | undefined {
  return /^packages\/web\/src\/channels\/(?!parts\/|phone\/)([\w-]+)\//.exec(path)?.[1]
}

function providerOf(path: string): string | undefined {
  if (callsOf(path)) return undefined
  return /^packages\/server\/src\/channels\/([\w-]+\/[\w-]+)\//.exec(path)?.[1]
}
