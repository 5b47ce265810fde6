/**
 * Branding for a reseller's customers: name, colours, logo, links, by host name and by account. Mails and documents are
 * written by their own modules.
 */
export { brandOf, type Look } from './find-brand.ts'
export { brandHandlers, type BrandDeps } from './handlers.ts'
export { getLinkHost, setLinkHost } from './link-host.ts'
export { NotAPicture, readPicture } from './picture-bytes.ts'
