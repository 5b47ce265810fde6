import { BadgeCheck, Globe, Mail, Phone } from 'lucide-react'
import { formatPhone } from '../../../lib/format.ts'

export type ShownBrand = {
  name: string
  description: string
  color: string
  logoUrl: string | null
  bannerUrl: string | null
  isVerified: boolean
  contacts: readonly { kind: 'phone' | 'mail' | 'web'; text: string; label: string }[]
}

const icons = { phone: Phone, mail: Mail, web: Globe }

/** The page of a bot as phones show it: banner, logo, name, description and contacts. */
export function BotPagePhone({ brand }: { brand: ShownBrand }) {
  const { name, description, color, logoUrl, bannerUrl, isVerified, contacts } = brand
  const tint = /^#[\da-f]{6}$/i.test(color) ? color : '#5f6368'
  return (
    <figure className="mx-auto w-72 max-w-full self-start" aria-label={`How phones show ${name || 'the bot'}`}>
      <div className="overflow-hidden rounded-xl border border-border bg-[#fff] pb-4 text-[#1f1f1f] shadow-1">
        <div className="h-[90px] bg-[#e8eaed]">
          {bannerUrl ? <img src={bannerUrl} alt="" className="size-full object-cover" /> : null}
        </div>
        <div className="-mt-8 flex flex-col items-center gap-1 px-4 text-center">
          <span className="grid size-16 place-items-center overflow-hidden rounded-full border-2 border-[#fff] bg-[#f1f3f4] text-xl font-medium">
            {logoUrl ? <img src={logoUrl} alt="" className="size-full object-cover" /> : name.slice(0, 1)}
          </span>
          <p className="flex items-center gap-1 font-semibold">
            {name || 'Name of the bot'}
            {isVerified ? <BadgeCheck aria-label="Verified" className="size-4" style={{ color: tint }} /> : null}
          </p>
          <p className="text-caption wrap-anywhere text-[#5f6368]">{description || 'Description'}</p>
        </div>
        <ul className="mt-3 flex flex-col gap-2 px-4">
          {contacts.map(({ kind, text, label }) => {
            const Icon = icons[kind]
            return (
              <li key={`${kind}${text}`} className="flex items-center gap-3 text-caption">
                <Icon aria-hidden className="size-4 shrink-0" style={{ color: tint }} />
                <span className="min-w-0 flex-1 truncate">{kind === 'phone' ? formatPhone(text) : text}</span>
                <span className="text-[#5f6368]">{label}</span>
              </li>
            )
          })}
        </ul>
      </div>
    </figure>
  )
}
