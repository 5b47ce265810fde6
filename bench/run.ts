/** npm run bench -- NAME */
const benches: Record<string, () => Promise<void>> = {
  dispatch: async () => (await import('./dispatch.ts')).benchDispatch(),
  dlr: async () => (await import('./dlr.ts')).benchReports(),
  inbound: async () => (await import('./inbound.ts')).benchInbound(),
  'inbox-fanout': async () => (await import('./inbox-fanout.ts')).benchInboxFanout(),
  'inbox-list': async () => (await import('./inbox-list.ts')).benchInboxList(),
  'webhooks-out': async () => (await import('./webhooks-out.ts')).benchWebhooksOut(),
  whatsapp: async () => (await import('./whatsapp.ts')).benchWhatsapp(),
  rcs: async () => (await import('./rcs.ts')).benchRcs(),
  failover: async () => (await import('./failover.ts')).benchFailover(),
  reach: async () => (await import('./reach.ts')).benchReach(),
  'slow-gateway': async () => (await import('./slow-gateway.ts')).benchSlowGateway(),
  'hanging-provider': async () => (await import('./hanging-provider.ts')).benchHangingProvider(),
  smpp: async () => (await import('./smpp.ts')).benchSmpp(),
  api: async () => (await import('./api.ts')).benchApi(),
  accept: async () => (await import('./accept.ts')).benchAccept(),
  'web-inbox': async () => (await import('./web-inbox.ts')).benchWebInbox(),
  'web-budget': async () => (await import('./web-budget.ts')).benchWebBudget(),
  bullmq: async () => (await import('./peers/bullmq.ts')).benchBullmq(),
  kannel: async () => (await import('./peers/kannel.ts')).benchKannel(),
  'report-10M': async () => (await import('./report-10m.ts')).benchReport(),
  links: async () => (await import('./links.ts')).benchLinks(),
  export: async () => (await import('./export.ts')).benchExport(),
  import: async () => (await import('./import.ts')).benchImport(),
}

const name = process.argv[2] ?? ''
const run = benches[name]
if (!run) {
  console.error(`There is no benchmark "${name}". Choose one of: ${Object.keys(benches).join(', ')}`)
  process.exitCode = 1
} else {
  await run()
}
