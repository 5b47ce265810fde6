export type DemoAccount = {
  appId: string
  appSecret: string
  verifyToken: string
  token: string
  businessId: string
  wabaId: string
  phoneNumberIds: readonly [string, string]
  displayPhoneNumbers: readonly [string, string]
}

/** Initial objects of the simulated Meta, with fixed ids for tests and the demo. */
export const demoAccount: DemoAccount = {
  appId: '240000000000001',
  appSecret: 'simulator-app-secret',
  verifyToken: 'simulator-verify-token',
  token: 'simulator-token',
  businessId: '250000000000001',
  wabaId: '260000000000001',
  phoneNumberIds: ['270000000000001', '270000000000002'],
  displayPhoneNumbers: ['+91 80 4718 1000', '+91 80 4718 2000'],
}
