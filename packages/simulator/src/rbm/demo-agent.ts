export type DemoPartner = {
  partnerId: string
  projectId: string
  clientEmail: string
  /** The `clientToken` of the partner's webhook, also the key of its signatures. */
  clientToken: string
  brandId: string
  /** Launched with all carriers but one. */
  agentId: string
  agentName: string
  /** Verified but not launched. */
  newAgentId: string
  dotgo: { botId: string; clientId: string; clientSecret: string; adminId: string; adminSecret: string }
}

/** Initial objects of the simulated RCS platforms, with fixed ids for tests and the demo. */
export const demoPartner: DemoPartner = {
  partnerId: '310000000000001',
  projectId: 'rbm-acme-partner',
  clientEmail: 'rbm-sender@rbm-acme-partner.iam.gserviceaccount.com',
  clientToken: 'simulator-client-token',
  brandId: '5d2f6c1e-7c1b-4a55-9d1a-0b9a3a4f8e10',
  agentId: 'acme_retail_x4k2q7_agent@rbm.goog',
  agentName: 'Acme Retail',
  newAgentId: 'acme_offers_b8m3t1_agent@rbm.goog',
  dotgo: {
    botId: 'acmeRetailBot',
    clientId: 'acme-retail-bot',
    clientSecret: 'simulator-bot-secret',
    adminId: 'acme-retail-admin',
    adminSecret: 'simulator-admin-secret',
  },
}
