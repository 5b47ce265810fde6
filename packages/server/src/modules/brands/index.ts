/**
 * What the product looks like to a reseller's customers: name, colours, logo, links, by the host name they ask and by the
 * account they belong to. Mails and papers that wear it are written by their own modules.
 */
export { brandOf, type Look } from './find-brand.ts'
export { brandHandlers, type BrandDeps } from './handlers.ts'
