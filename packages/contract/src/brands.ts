import { z } from 'zod'
import { Id, Line, Nothing } from './common.ts'
import { defineEndpoints } from './endpoint.ts'

const WebLink = z
  .union([z.literal(''), z.url({ protocol: /^https?$/, error: 'Enter a web address that begins with https://' })])
  .default('')
const Colour = z.string().regex(/^#[\da-f]{6}$/i, 'A colour is # and six hexadecimal digits')

/** A reseller's brand, shown to its customers instead of Carillon's. */
export const Brand = z.object({
  name: Line.min(1, 'Enter a name').max(60),
  /** Host names the brand is shown on, without scheme or port. */
  hosts: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .regex(
          /^(?=.{4,253}$)(?!.*\.\d+$)[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/,
          'Enter a host name such as messages.example.com',
        ),
    )
    .max(5)
    .default([]),
  /** Color of buttons and accents, for the light and the dark theme. Contrast is validated. */
  color: Colour,
  colorDark: Colour,
  supportEmail: z.union([z.literal(''), z.email()]).default(''),
  supportUrl: WebLink,
  privacyUrl: WebLink,
  certification: Line.max(80).default(''),
  /** Sender name of mails. */
  mailSenderName: Line.max(60).default(''),
  mailReplyTo: z.union([z.literal(''), z.email()]).default(''),
})
export type Brand = z.infer<typeof Brand>

/** The public part of a host name's brand. */
export const PublicBrand = Brand.omit({ hosts: true, mailSenderName: true, mailReplyTo: true }).extend({
  /** Absent: the default logo. */
  logo: z.string().optional(),
  /** False if no brand is set and the default is shown. */
  isOwn: z.boolean(),
  allowsRegistration: z.boolean(),
})
export type PublicBrand = z.infer<typeof PublicBrand>

export const brandEndpoints = defineEndpoints({
  'brand.current': {
    route: 'GET /api/v1/brand',
    summary: 'The brand shown to the caller’s account',
    roles: 'session',
    data: PublicBrand,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'brand.ofHost': {
    route: 'GET /api/v1/brand/host',
    summary: 'The brand of the requested host name, shown before sign-in',
    roles: 'public',
    data: PublicBrand,
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'brand.logo': {
    route: 'GET /api/v1/brand/logo/{id}',
    summary: 'A brand’s logo',
    roles: 'public',
    path: z.object({ id: Id }),
    data: 'file',
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'brand.get': {
    route: 'GET /api/v1/brand/settings',
    summary: 'The caller’s brand',
    roles: ['admin', 'reseller'],
    data: Brand.extend({ logo: z.string().optional(), isSet: z.boolean() }),
    fallback: 'An unexpected error occurred',
    addition: true,
  },
  'brand.set': {
    route: 'PUT /api/v1/brand/settings',
    summary: 'Update the caller’s brand; colours with too little contrast are rejected',
    roles: ['admin', 'reseller'],
    body: Brand,
    data: Brand.extend({ logo: z.string().optional(), isSet: z.boolean() }),
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'brand.setLogo': {
    route: 'POST /api/v1/brand/settings/logo',
    summary: 'Upload a logo: PNG, JPEG or WebP, at most 512 KB',
    roles: ['admin', 'reseller'],
    files: { logo: { maximumBytes: 512 * 1024 } },
    data: z.object({ logo: z.string() }),
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
  'brand.removeLogo': {
    route: 'DELETE /api/v1/brand/settings/logo',
    summary: 'Remove the logo',
    roles: ['admin', 'reseller'],
    data: Nothing,
    fallback: 'An unexpected error occurred',
    impersonation: false,
    addition: true,
  },
})
