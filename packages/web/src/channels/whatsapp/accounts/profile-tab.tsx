import type { WhatsappNumber, WhatsappProfile } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'
import { UserRound } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { mayCall } from '../../../lib/call.ts'
import { fieldMessages, useApi, useApiWrite } from '../../../lib/use-api.ts'
import { useView } from '../../../lib/use-view.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input, Textarea } from '../../../ui/input.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Region } from '../../../ui/region.tsx'
import { Select } from '../../../ui/select.tsx'
import { toast } from '../../../ui/toast.tsx'
import { ProfilePhone } from './profile-phone.tsx'
import { ProfilePicture, type ChosenPicture } from './profile-picture.tsx'
import { verticalOptions } from './texts.ts'
import { whatsappView } from './whatsapp-view.ts'

/** The WhatsApp business profile, with a phone preview. */
export function ProfileTab({ numbers }: { numbers: readonly WhatsappNumber[] }) {
  const [view, setView] = useView(whatsappView)
  const number = numbers.find(({ _id }) => _id === view.chosenId) ?? numbers[0]
  const profile = useApi(
    'wabas.profile',
    { query: { phone_number_id: number?.phone_number_id ?? '' } },
    { enabled: number !== undefined, staleTime: Infinity },
  )
  if (!number) {
    return (
      <Empty icon={UserRound} title="No number yet">
        Profiles are set for each number.
      </Empty>
    )
  }
  return (
    <div className="flex flex-col gap-5 py-5 screen-x">
      {numbers.length > 1 ? (
        <Field label="Number" className="max-w-80">
          <Select
            value={number._id}
            onValueChange={(chosenId) => setView({ chosenId })}
            options={numbers.map(({ _id, displayPhoneNumber, verifiedName }) => ({
              value: _id,
              label: `${displayPhoneNumber} · ${verifiedName}`,
            }))}
          />
        </Field>
      ) : null}
      <Region read={profile} label="the profile" lines={8}>
        {(data) => <ProfileForm key={number._id} number={number} profile={data} />}
      </Region>
    </div>
  )
}

function ProfileForm({ number, profile }: { number: WhatsappNumber; profile: WhatsappProfile }) {
  const [draft, setDraft] = useState(profile)
  const [picture, setPicture] = useState<ChosenPicture>()
  const save = useApiWrite('wabas.saveProfile', {
    refreshes: ['wabas.profile'],
    onSuccess: (saved) => {
      setDraft(saved)
      toast.success('The profile is saved')
    },
  })
  const errors = fieldMessages(save.error)
  const mayChange = mayCall('wabas.saveProfile')
  const change = (patch: Partial<WhatsappProfile>) => setDraft({ ...draft, ...patch })

  function submit(event: FormEvent) {
    event.preventDefault()
    const { profile_picture_url: _, websites, ...rest } = draft
    save.mutate({
      body: {
        ...rest,
        websites: websites.filter((address) => address.trim() !== ''),
        phone_number_id: number.phone_number_id,
        ...(picture?.handle ? { profile_picture_handle: picture.handle } : {}),
      },
    })
  }

  return (
    <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,560px)_auto]">
      <form onSubmit={submit} noValidate>
        <fieldset disabled={!mayChange} className="flex min-w-0 flex-col gap-5">
          {save.isError && Object.keys(errors).length === 0 ? <Notice tone="bad">{save.error.message}</Notice> : null}
          <ProfilePicture
            wabaId={number.waba_id}
            shown={picture?.url ?? draft.profile_picture_url}
            onPicture={setPicture}
          />
          <ProfileFields draft={draft} errors={errors} onChange={change} />
        </fieldset>
        {mayChange ? (
          <Button type="submit" variant="primary" className="mt-5" loading={save.isPending}>
            Save profile
          </Button>
        ) : null}
      </form>
      <ProfilePhone number={number} profile={draft} picture={picture?.url ?? draft.profile_picture_url} />
    </div>
  )
}

type ProfileFieldsProps = {
  draft: WhatsappProfile
  errors: Record<string, string>
  onChange: (patch: Partial<WhatsappProfile>) => void
}

function ProfileFields({ draft, errors, onChange }: ProfileFieldsProps) {
  const { about, address, description, email, websites, vertical } = draft
  const site = (index: number) => websites[index] ?? ''
  const changeSite = (index: number, value: string) =>
    onChange({ websites: [0, 1].map((place) => (place === index ? value : site(place))) })
  return (
    <>
      <Field label="About" aside={`${about.length}/139`} error={errors['about']} help="Appears below the name">
        <Input
          name="about"
          maxLength={139}
          value={about}
          onChange={(event) => onChange({ about: event.target.value })}
        />
      </Field>
      <Field label="Description" hint="(optional)" aside={`${description.length}/512`} error={errors['description']}>
        <Textarea
          name="description"
          rows={3}
          maxLength={512}
          value={description}
          onChange={(event) => onChange({ description: event.target.value })}
        />
      </Field>
      <Field label="Industry" error={errors['vertical']}>
        <Select
          name="vertical"
          value={vertical}
          options={verticalOptions}
          onValueChange={(next) => onChange({ vertical: next })}
        />
      </Field>
      <Field label="Address" hint="(optional)" aside={`${address.length}/256`} error={errors['address']}>
        <Input
          name="address"
          maxLength={256}
          autoComplete="street-address"
          value={address}
          onChange={(event) => onChange({ address: event.target.value })}
        />
      </Field>
      <Field label="Email" hint="(optional)" error={errors['email']}>
        <Input
          name="email"
          type="email"
          maxLength={128}
          autoComplete="email"
          value={email}
          onChange={(event) => onChange({ email: event.target.value })}
        />
      </Field>
      <div className="grid gap-5 md:grid-cols-2">
        {[0, 1].map((index) => (
          <Field
            key={index}
            label={index === 0 ? 'Website' : 'Second website'}
            hint="(optional)"
            error={errors[`websites.${index}`] ?? (index === 0 ? errors['websites'] : undefined)}
          >
            <Input
              name={`website-${index}`}
              type="url"
              maxLength={256}
              placeholder="https://"
              value={site(index)}
              onChange={(event) => changeSite(index, event.target.value)}
            />
          </Field>
        ))}
      </div>
    </>
  )
}
