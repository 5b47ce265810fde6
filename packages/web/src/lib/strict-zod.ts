type WithZod = typeof globalThis & { __zod_globalConfig?: { jitless?: boolean } }

/**
 * Zod compiles schemas with `new Function` if possible, and even the attempt violates our content security policy. Zod reads
 * this global, so that the login page need not load it.
 */
const shared: WithZod = globalThis
shared.__zod_globalConfig = Object.assign(shared.__zod_globalConfig ?? {}, { jitless: true })
