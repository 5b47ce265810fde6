import type { Management } from '../../management.ts'
import type { ProviderCallIo } from '../../provider.ts'
import { conversationCategoryOf, factsOfBot } from '../bot-line.ts'
import { rbmScopes, rcsPartnerKey } from '../partner.ts'
import type { RbmConfig } from './config.ts'
import { getAccessToken } from './google-tokens.ts'
import { openPartner, parsePartner } from './manage-partner.ts'
import { reachCalls } from './manage-reach.ts'

/** Management of one of the partner's bots: check of the service account, the bot as the only line, and reach. */
export function manageBot({ agentId }: RbmConfig, io: ProviderCallIo): Pick<Management, 'access' | 'lines' | 'reach'> {
  const settings = () => io.readInstallationSettings(rcsPartnerKey)
  const partner = async () => parsePartner(await settings())
  return {
    access: {
      async check() {
        await getAccessToken((await partner()).serviceAccount, rbmScopes.messaging, io)
        return { missing: [], expiresAt: null }
      },
    },
    lines: {
      async list() {
        const bot = await openPartner(await settings(), io).describeBot(agentId)
        const facts = factsOfBot({ botId: agentId, name: bot.name }, bot)
        return [bot.billing ? { ...facts, conversationCategory: conversationCategoryOf(bot.billing) } : facts]
      },
    },
    reach: reachCalls(partner, agentId, io),
  }
}
