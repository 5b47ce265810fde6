/** Answers for screenshots: one organisation on one afternoon. */
const id = (last: number) => `0190c5b7-8f6e-7b1a-9c3d-${String(last).padStart(12, '0')}`
const now = Date.now()
const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString()

type Draft = {
  name: string
  status: string
  total: number
  done: number
  delivered: number
  failed: number
  minutes: number
  template: string
}

const drafts: Draft[] = [
  {
    name: 'Diwali early access',
    status: 'running',
    total: 12_480,
    done: 7738,
    delivered: 7413,
    failed: 87,
    minutes: 9,
    template: 'diwali_early_access',
  },
  {
    name: 'Kirana weekend offers',
    status: 'running',
    total: 104_512,
    done: 39_715,
    delivered: 38_563,
    failed: 402,
    minutes: 24,
    template: 'Kirana offer v2',
  },
  {
    name: 'Bhai Dooj gift cards',
    status: 'scheduled',
    total: 22_150,
    done: 0,
    delivered: 0,
    failed: 0,
    minutes: 90,
    template: 'Gift card carousel',
  },
  {
    name: 'Cart reminder, 24 hours',
    status: 'paused',
    total: 6320,
    done: 2844,
    delivered: 2656,
    failed: 61,
    minutes: 190,
    template: 'cart_reminder_24h',
  },
  {
    name: 'Loyalty points statement',
    status: 'completed',
    total: 38_512,
    done: 38_512,
    delivered: 36_894,
    failed: 1618,
    minutes: 1300,
    template: 'Points balance Oct',
  },
  {
    name: 'Dhanteras silver coins',
    status: 'completed',
    total: 4870,
    done: 4870,
    delivered: 4592,
    failed: 278,
    minutes: 1900,
    template: 'dhanteras_silver',
  },
  {
    name: 'Chennai stores map',
    status: 'failed',
    total: 4200,
    done: 0,
    delivered: 0,
    failed: 0,
    minutes: 2900,
    template: 'Stores near you',
  },
  {
    name: 'Feedback after delivery',
    status: 'draft',
    total: 0,
    done: 0,
    delivered: 0,
    failed: 0,
    minutes: 3000,
    template: 'feedback_after_delivery',
  },
  {
    name: 'Navratri last hours',
    status: 'discarded',
    total: 15_000,
    done: 0,
    delivered: 0,
    failed: 0,
    minutes: 9000,
    template: 'Navratri flash',
  },
]

const campaigns = drafts.map(({ name, status, total, done, delivered, failed, minutes, template }, index) => ({
  _id: id(index + 1),
  campaignName: name,
  channel: 'sms',
  status,
  smsAccountId: id(900),
  accountName: 'Airtel India 1',
  templateId: id(800 + index),
  templateName: template,
  header: 'ACMERT',
  category: 'promotional',
  audienceId: id(700 + index),
  fileName: 'diwali_vip.csv',
  createdBy: 'kavya',
  isTest: false,
  startAt: status === 'scheduled' ? new Date(now + 40 * 3_600_000).toISOString() : null,
  timezone: 'Asia/Kolkata',
  createdAt: minutesAgo(minutes),
  startedAt: done > 0 ? minutesAgo(minutes - 5) : null,
  completedAt: null,
  percent: total > 0 ? (done / total) * 100 : 0,
  stats: {
    total,
    queued: total - done,
    submitted: done,
    sent: done - delivered - failed,
    delivered,
    read: 0,
    failed,
    skipped: 0,
    unknown: 0,
    unconfirmed: 0,
    cancelled: 0,
    replied: Math.round(delivered * 0.003),
    parts: done,
    cost: done * 0.125,
    refunded: failed * 0.125,
  },
}))

function counts(submitted: number) {
  return {
    submitted,
    sent: Math.round(submitted * 0.02),
    delivered: Math.round(submitted * 0.958),
    read: 0,
    failed: Math.round(submitted * 0.011),
    pending: Math.round(submitted * 0.011),
    replied: Math.round(submitted * 0.0142),
    optedOut: Math.round(submitted * 0.0007),
    cost: submitted * 0.125,
  }
}

const perDay = [9400, 14_800, 12_100, 26_500, 18_300, 41_200, 40_900]
const daily = perDay.map((submitted, index) => ({
  day: new Date(now - (perDay.length - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  channel: 'sms',
  submitted,
  delivered: Math.round(submitted * 0.958),
  failed: Math.round(submitted * 0.011),
  cost: submitted * 0.125,
}))

export type Story = {
  balance: number
  empty?: boolean
  failing?: readonly string[]
  modules?: readonly string[]
  role?: string
}

type Telling = { query: URLSearchParams; story: Story }

const answers: Record<string, (telling: Telling) => unknown> = {
  'POST /api/v1/auth/login': ({ story }) => ({
    success: true,
    message: 'Welcome',
    token: 'a'.repeat(64),
    type: story.role ?? 'manager',
    username: 'acme.retail',
    email: 'ops@acmeretail.example',
    expiresAt: Math.floor(now / 1000) + 3600,
    isFirstLogin: false,
  }),
  'GET /api/v1/profile/details': ({ story }) =>
    data({
      _id: id(500),
      username: 'acme.retail',
      email: 'ops@acmeretail.example',
      name: 'Kavya',
      type: story.role ?? 'manager',
      organization: 'Acme Retail',
      timezone: 'Asia/Kolkata',
      createdAt: minutesAgo(90_000),
    }),
  'GET /api/admin/user-permissions': ({ story }) => ({
    success: true,
    message: '',
    modulePermissions: (story.modules ?? ['campaign', 'template']).map((moduleName) => ({ moduleName })),
  }),
  'GET /api/v1/balance/getBalance': ({ story }) => data({ balance: story.balance, held: 3125 }),
  'GET /api/dashboard/statusCounts': ({ story }) => data(story.empty ? nothingCounted : everythingCounted),
  'GET /api/sms/campaigns': listCampaigns,
  'GET /api/sms/campaigns/search': listCampaigns,
  'GET /api/sms/accounts': () => data([]),
  'GET /api/sms/templates': () => data({ templates: [], pagination: { page: 1, limit: 10, total: 0, totalPages: 1 } }),
  'GET /api/v1/channels/get-channel-integrations': () =>
    data({ sms: true, rcs: false, whatsapp: false, voice: false, email: false }),
}

const total = perDay.reduce((sum, count) => sum + count, 0)
const everythingCounted = {
  channels: { sms: counts(total) },
  total: counts(total),
  previous: { ...counts(145_200), failed: 2033 },
  daily,
}
const nothingCounted = { channels: {}, total: counts(0), previous: counts(0), daily: [] }

/** The answer to one call; undefined where the story has none. */
export function answer(route: string, query: URLSearchParams, story: Story): unknown {
  if (story.failing?.some((part) => route.includes(part))) {
    return { success: false, message: 'The database is being maintained. Try again in a minute.', code: 'unavailable' }
  }
  return answers[route]?.({ query, story })
}

function listCampaigns({ query, story }: Telling) {
  const wanted = query.get('status')?.split(',')
  const all = story.empty ? [] : campaigns
  const listed = all.filter(({ status }) => !wanted || wanted.includes(status))
  return {
    success: true,
    message: '',
    campaigns: listed.slice(0, Number(query.get('limit') ?? 10)),
    totalCampaigns: listed.length,
    totalPages: 1,
    currentPage: 1,
    campaignStats: listed.map(({ _id, stats }) => ({ campaignId: _id, stats })),
    statusCounts: Object.fromEntries(
      [...Map.groupBy(all, ({ status }) => status)].map(([status, rows]) => [status, rows.length]),
    ),
  }
}

function data(value: unknown) {
  return { success: true, message: '', data: value }
}
