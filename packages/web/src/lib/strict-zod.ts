type WithZod = typeof globalThis & { __zod_globalConfig?: { jitless?: boolean } }

/**
 * Schemas compile themselves with `new Function` where they can, and even the try is reported under our policy. Zod reads this
 * object of the global scope, so that the login need not load it.
 */
const shared: WithZod = globalThis
shared.__zod_globalConfig = Object.assign(shared.__zod_globalConfig ?? {}, { jitless: true })
