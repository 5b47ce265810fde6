/** The result of the sign-up window. */
export type SignUpOutcome =
  | { kind: 'finished'; code: string; waba_id?: string; phone_number_id?: string; business_id?: string }
  /** Closed early; Meta names the screen. */
  | { kind: 'left'; at: string | undefined }
  | { kind: 'failed'; message: string }

export type SignUpApp = { appId: string; configurationId: string; graphVersion: string; solutionId: string | null }

type Login = (
  callback: (answer: { authResponse?: { code?: string } | null }) => void,
  options: Record<string, unknown>,
) => void
type Sdk = { init(options: Record<string, unknown>): void; login: Login }
type Policy = { createScriptURL(address: string): string }

/** Globals of the script and of newer browsers. */
type SdkWindow = {
  FB?: Sdk
  trustedTypes?: { createPolicy(name: string, rules: Policy): Policy }
}
// The script's global and newer browser APIs are missing in the library's type of the window.
const page = (): SdkWindow => window as unknown as SdkWindow

const sdkAddress = 'https://connect.facebook.net/en_US/sdk.js'
let loading: Promise<Sdk> | undefined

/** Opens Meta's embedded sign-up and waits for the result. The SDK is loaded only when the button is pressed. */
export async function signUpWithFacebook(app: SignUpApp): Promise<SignUpOutcome> {
  const sdk = await loadSdk(app)
  const told = listenForSignUp()
  try {
    const code = await login(sdk, app)
    const { left, error, ...ids } = told.heard()
    if (error) return { kind: 'failed', message: error }
    return code === undefined ? { kind: 'left', at: left } : { kind: 'finished', code, ...ids }
  } finally {
    told.stop()
  }
}

/** Loads the SDK beforehand, so that the click itself opens the window. */
export async function loadSdk({ appId, graphVersion }: SignUpApp): Promise<Sdk> {
  loading ??= addScript()
    .then((sdk) => {
      sdk.init({ appId, version: graphVersion, xfbml: false, autoLogAppEvents: false })
      return sdk
    })
    .catch((error: unknown) => {
      loading = undefined
      throw error
    })
  return loading
}

function addScript(): Promise<Sdk> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.async = true
    script.crossOrigin = 'anonymous'
    script.addEventListener('load', () => {
      const sdk = page().FB
      if (sdk) resolve(sdk)
      else reject(new Error('Unexpected response from Facebook'))
    })
    script.addEventListener('error', () => reject(new Error('Facebook cannot be reached, or the browser blocks it')))
    script.src = trusted(sdkAddress)
    document.head.append(script)
  })
}

/** The page's policy accepts script URLs only from here, and only this one. */
function trusted(address: string): string {
  const policy = page().trustedTypes?.createPolicy('facebook-sign-up', {
    createScriptURL(wanted) {
      if (wanted !== sdkAddress) throw new TypeError('Only the sign-up of Facebook is loaded')
      return wanted
    },
  })
  return policy ? policy.createScriptURL(address) : address
}

function login(sdk: Sdk, { configurationId, solutionId }: SignUpApp): Promise<string | undefined> {
  return new Promise((resolve) => {
    sdk.login((answer) => resolve(answer.authResponse?.code), {
      config_id: configurationId,
      response_type: 'code',
      override_default_response_type: true,
      extras: { sessionInfoVersion: '3', setup: solutionId === null ? {} : { solutionID: solutionId } },
    })
  })
}

type Heard = { waba_id?: string; phone_number_id?: string; business_id?: string; left?: string; error?: string }

/** Listens for the window message with Meta's result. */
function listenForSignUp(): { heard: () => Heard; stop: () => void } {
  let heard: Heard = {}
  function onMessage(event: MessageEvent<unknown>) {
    const host = URL.canParse(event.origin) ? new URL(event.origin).hostname : ''
    if (host !== 'facebook.com' && !host.endsWith('.facebook.com')) return
    heard = { ...heard, ...readSignUpMessage(event.data) }
  }
  window.addEventListener('message', onMessage)
  return { heard: () => heard, stop: () => window.removeEventListener('message', onMessage) }
}

/** Parses a window message of the sign-up; empty for any other message. */
export function readSignUpMessage(data: unknown): Heard {
  const message = asRecord(typeof data === 'string' ? parse(data) : data)
  if (message['type'] !== 'WA_EMBEDDED_SIGNUP') return {}
  const told = asRecord(message['data'])
  const text = (key: string) => (typeof told[key] === 'string' ? told[key] : undefined)
  if (message['event'] === 'CANCEL') {
    const error = text('error_message')
    return error ? { error } : { left: text('current_step') ?? '' }
  }
  const ids: Heard = {}
  for (const key of ['waba_id', 'phone_number_id', 'business_id'] as const) {
    const id = text(key)
    if (id !== undefined && /^\d+$/.test(id)) ids[key] = id
  }
  return ids
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  // Any object may be read by its keys; missing ones are undefined.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
