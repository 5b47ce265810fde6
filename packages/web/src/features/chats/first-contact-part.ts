import { lazyPart } from '../../lib/lazy-part.tsx'

export const FirstContact = lazyPart(() => import('./first-contact.tsx').then((code) => code.FirstContact))
