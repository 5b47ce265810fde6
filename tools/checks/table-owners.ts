/**
 * The owner of each table: only the owner inserts, updates and deletes. An owner is a module or another folder of the server.
 * All modules may read. A function in the database belongs to
 * the owner of the tables it writes, like an exported function, and others may call it.
 */
export const tablesByOwner: Record<string, readonly string[]> = {
  db: ['schema_migrations'],
  channels: ['rcs_bots'],
  events: ['domain_events', 'event_subscriptions', 'event_queue'],
  http: ['idempotency_keys'],
  jobs: ['job_runners'],
  audit: ['audit_heads', 'audit_log'],
  mails: ['mails'],
  notifications: ['notifications'],
  accounts: ['account_modules', 'accounts', 'email_changes'],
  auth: ['login_attempts', 'password_resets', 'sessions', 'socket_tickets'],
  balance: [
    'billing_details',
    'holds',
    'invoice_numbers',
    'invoices',
    'ledger_accounts',
    'ledger_entries',
    'rate_cards',
    'rates',
    'topup_requests',
  ],
  users: ['account_limits', 'invitations'],
  files: ['files'],
  brands: ['brand_hosts', 'brands'],
  senders: ['channel_flags', 'provider_accounts', 'senders'],
  templates: ['family_renditions', 'template_events', 'template_families', 'templates'],
  audience: ['audiences', 'opt_outs', 'recipients'],
  'sending-rules': ['sending_rules'],
  links: ['campaign_clickers', 'campaign_links', 'link_clicks'],
  restores: ['installation', 'restored_campaigns'],
  messages: [
    'accepted_days',
    'accepted_deltas',
    'accepted_quarters',
    'chunks',
    'contact_identities',
    'charged_conversations',
    'conversation_charges',
    'conversation_days',
    'counter_deltas',
    'counter_points',
    'counters',
    'daily_counters',
    'early_reports',
    'inbound_messages',
    'lanes',
    'failover_counts',
    'failover_deltas',
    'leg_days',
    'leg_entries',
    'leg_watches',
    'message_parts',
    'messages',
    'poison_events',
    'priority_messages',
    'proved_days',
    'provider_events',
    'receipt_profiles',
    'report_mismatches',
    'reply_client_ids',
    'retries',
    'revocation_scans',
    'revocations',
    'sender_points',
    'service_windows',
    'single_days',
    'single_failovers',
    'single_legs',
    'single_sends',
    'waiting_replies',
  ],
  campaigns: [
    'ab_tests',
    'campaign_events',
    'campaign_leg_shares',
    'campaign_legs',
    'campaigns',
    'leg_members',
    'leg_skips',
    'reach_batches',
    'reach_checks',
  ],
  conversations: [
    'agent_facts',
    'canned_replies',
    'contact_changes',
    'contacts',
    'conversation_events',
    'conversation_viewers',
    'conversations',
    'inbox_notices',
    'inbox_settings',
    'invited_agents',
    'live_agent_lines',
    'live_agent_spans',
    'live_agents',
    'ratings',
    'scheduled_replies',
    'team_lines',
    'team_members',
    'teams',
  ],
  'api-keys': ['api_key_counters', 'api_key_days', 'api_keys', 'key_configs'],
  'saved-views': ['saved_views'],
  'report-files': ['reports'],
  'report-schedules': ['report_deliveries', 'report_runs', 'report_schedules'],
  sandbox: ['test_messages'],
  'public-api': ['one_time_passwords', 'otp_stops'],
  'smpp-server': ['smpp_credentials', 'smpp_long_messages', 'smpp_messages', 'smpp_receipts', 'smpp_sessions'],
  webhooks: ['webhook_deliveries', 'webhook_endpoints', 'webhook_lanes', 'webhook_queue'],
  support: ['support_messages', 'support_reads', 'support_requests'],
  'request-log': ['api_requests'],
}

/** Settings of the installation, one key per writer. */
export const sharedTables: readonly string[] = ['system_state']

const ownerByTable = new Map(
  Object.entries(tablesByOwner).flatMap(([owner, tables]) => tables.map((table) => [table, owner])),
)

/** Reports each table that a file writes without owning it. */
export function findForeignWrites({ path, text }: { path: string; text: string }): string[] {
  const writer = writerOf(path)
  if (writer === undefined) return []
  return [...new Set(findWrites(text))].flatMap((table) => {
    if (table === undefined) return [`${path} names a table that it writes by an expression`]
    const owner = ownerByTable.get(table)
    const may = owner === undefined || owner === writer
    return may ? [] : [`${path} writes ${table}, which belongs to ${owner}`]
  })
}

const kyselyWrites = /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*(?:['"](\w+)|)/g
const statements = [
  /\binsert\s+into\s+(\w+)/gi,
  /\bupdate\s+(?:only\s+)?(\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b/gi,
  /\bdelete\s+from\s+(\w+)/gi,
  /\bcopy\s+(\w+)(?=\s+(?:\(|from))/gi,
  /\bmerge\s+into\s+(\w+)/gi,
  /\btruncate\s+(?:table\s+)?(\w+)/gi,
]

/** The tables that a file writes through Kysely or in a SQL text; undefined if the name is not a literal. */
function findWrites(text: string): (string | undefined)[] {
  return [kyselyWrites, ...statements].flatMap((pattern) => [...text.matchAll(pattern)].map(([, table]) => table))
}

/** The demo and tests may write any table. */
function writerOf(path: string): string | undefined {
  if (/\.test\.ts$|\/test-[\w-]+\.ts$|\/testing\/|\/demo\//.test(path)) return undefined
  const [, folder, inside] = /^packages\/server\/src\/([\w.-]+)(?:\/([\w-]+))?/.exec(path) ?? []
  return folder === 'modules' ? inside : folder
}
