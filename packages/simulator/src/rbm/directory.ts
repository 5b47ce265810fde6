import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { carriers } from './carriers.ts'
import { demoPartner } from './demo-agent.ts'
import type { Agent, Brand, DotgoTemplate, Launch, ServiceKey, StoredFile, Tester, Webhook } from './objects.ts'

/** What the simulated platforms store beyond messages. */
export type DirectorySnapshot = {
  brands: Brand[]
  agents: Agent[]
  testers: Tester[]
  templates: DotgoTemplate[]
  files: StoredFile[]
  keys: ServiceKey[]
  webhook: Webhook | undefined
}

/** Larger files are not saved: the whole state is written at once. */
const mostSavedBytes = 5 * 1024 * 1024

export type Directory = {
  brands: Map<string, Brand>
  /** By id. */
  agents: Map<string, Agent>
  /** By agent and number. */
  testers: Map<string, Tester>
  /** By bot and name. */
  templates: Map<string, DotgoTemplate>
  files: Map<string, StoredFile>
  /** The webhook of the partner. */
  webhook: () => Webhook | undefined
  setWebhook: (webhook: Webhook | undefined) => void
  /** Keys of the service account; the first is generated on demand, because that takes a tenth of a second. */
  keys: () => ServiceKey[]
  /** Deletes the keys of the service account and creates another. */
  replaceKey: () => void
  /** With or without `@rbm.goog`. */
  findAgent: (id: string) => Agent | undefined
  saveFile: (file: Omit<StoredFile, 'id'>) => StoredFile
  /** The file of a name such as `files/…`. */
  findFile: (name: string) => StoredFile | undefined
  snapshot: () => DirectorySnapshot
  restore: (snapshot: DirectorySnapshot) => void
  /** Restores the initial objects. */
  reset: () => void
}

export function createDirectory(): Directory {
  const brands = new Map<string, Brand>()
  const agents = new Map<string, Agent>()
  const testers = new Map<string, Tester>()
  const templates = new Map<string, DotgoTemplate>()
  const files = new Map<string, StoredFile>()
  let keys: ServiceKey[] = []
  let webhook: Webhook | undefined

  function restore(snapshot: DirectorySnapshot) {
    fill(brands, snapshot.brands, ({ id }) => id)
    fill(agents, snapshot.agents, ({ id }) => id)
    fill(testers, snapshot.testers, testerKey)
    fill(templates, snapshot.templates, templateKey)
    fill(files, snapshot.files, ({ id }) => id)
    keys = snapshot.keys
    webhook = snapshot.webhook
  }

  const directory: Directory = {
    brands,
    agents,
    testers,
    templates,
    files,
    webhook: () => webhook,
    setWebhook(next) {
      webhook = next
    },
    keys() {
      if (keys.length === 0) keys.push(createKey())
      return keys
    },
    replaceKey() {
      keys = [createKey()]
    },
    findAgent: (id) => agents.get(id) ?? agents.get(`${id}@rbm.goog`),
    saveFile(file) {
      const saved = { ...file, id: randomUUID() }
      files.set(saved.id, saved)
      return saved
    },
    findFile: (name) => (name.startsWith('files/') ? files.get(name.slice('files/'.length)) : undefined),
    snapshot: () => ({
      brands: [...brands.values()],
      agents: [...agents.values()],
      testers: [...testers.values()],
      templates: [...templates.values()],
      files: [...files.values()].filter(({ bytes }) => (bytes?.length ?? 0) <= mostSavedBytes),
      keys,
      webhook,
    }),
    restore,
    // The service account stays: clients have its key.
    reset: () => restore({ ...initialObjects(), keys }),
  }
  directory.reset()
  return directory
}

export function testerKey({ agentId, number }: Pick<Tester, 'agentId' | 'number'>): string {
  return `${agentId} ${number}`
}

export function templateKey({ botId, name }: Pick<DotgoTemplate, 'botId' | 'name'>): string {
  return `${botId} ${name}`
}

function fill<Value>(map: Map<string, Value>, values: Value[], keyOf: (value: Value) => string) {
  map.clear()
  for (const value of values) map.set(keyOf(value), value)
}

function createKey(): ServiceKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { id: randomBytes(20).toString('hex'), privateKey, publicKey }
}

function initialObjects(): Omit<DirectorySnapshot, 'keys'> {
  const { brandId, agentId, agentName, newAgentId, dotgo } = demoPartner
  const launched = carriers.filter(({ id }) => id !== 'in-bsnl').map(({ id }) => id)
  return {
    brands: [{ id: brandId, displayName: agentName }],
    agents: [
      demoAgent({ id: agentId, displayName: agentName, regions: launched, isConversational: true }),
      demoAgent({ id: newAgentId, displayName: 'Acme Offers', regions: [] }),
      { ...demoAgent({ id: dotgo.botId, displayName: 'Acme Retail on Vi', regions: launched }), platform: 'dotgo' },
    ],
    testers: [],
    templates: [],
    files: [],
    webhook: undefined,
  }
}

type DemoAgent = { id: string; displayName: string; regions: string[]; isConversational?: boolean }

function demoAgent({ id, displayName, regions, isConversational = false }: DemoAgent): Agent {
  const launch = (): Launch => ({ state: 'LAUNCHED', comment: '', updatedAtMs: Date.now() })
  return {
    id,
    platform: 'google',
    brandId: demoPartner.brandId,
    displayName,
    useCase: 'MULTI_USE',
    profile: {
      description: 'Orders, offers and help from Acme Retail',
      logoUri: demoImage('logo'),
      heroUri: demoImage('hero'),
      color: '#0B5A6E',
      phoneNumbers: [{ phoneNumber: { number: '+918047181000' }, label: 'Customer care' }],
      emails: [{ address: 'help@acme.example', label: 'Help' }],
      websites: [{ uri: 'https://acme.example', label: 'Shop' }],
      privacy: { uri: 'https://acme.example/privacy', label: 'Privacy policy' },
      termsConditions: { uri: 'https://acme.example/terms', label: 'Terms of service' },
      agentUseCase: 'MULTI_USE',
      billingConfig: { billingCategory: isConversational ? 'CONVERSATIONAL' : 'NON_CONVERSATIONAL' },
      hostingRegion: 'ASIA_PACIFIC',
    },
    verification: 'VERIFIED',
    verificationContact: undefined,
    questionnaire: undefined,
    launches: new Map(regions.map((region) => [region, launch()])),
    webhook: undefined,
  }
}

/** Images of the demo are served by the simulator, whose address is known later. */
const demoImages = '/rbm/images/'

function demoImage(name: string): string {
  return `${demoImages}${name}.svg`
}
