import type { Channel } from '@carillon/contract/channels'
import type { ProviderForm } from '@carillon/contract/senders'
import { listProviders } from '../../channels/index.ts'
import { formSchema } from './provider-config.ts'

/** The providers of a channel, each with the form for its settings. */
export function listProviderForms(channel: Channel): ProviderForm[] {
  return listProviders(channel).map((provider) => ({
    name: provider.name,
    label: provider.label,
    description: provider.description,
    schema: formSchema(provider),
    presets: provider.presets.map(({ name, label, config }) => ({
      name,
      label,
      // A preset is a part of the provider's settings, which are always an object.
      config: { ...(config as Record<string, unknown>) },
    })),
  }))
}
