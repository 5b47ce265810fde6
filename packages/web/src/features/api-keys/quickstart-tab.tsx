import type { ApiEnvironment } from '@carillon/contract/api-key-records'
import { useState } from 'react'
import { writeView } from '../../lib/url-state.ts'
import { useView } from '../../lib/use-view.ts'
import { AreaLink } from '../../ui/area-link.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { linkClass } from '../../ui/link-class.ts'
import { Page } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { apiKeysView, environments } from './api-keys-view.ts'
import type { ApiTabProps } from './api-tabs.ts'
import { firstCall, type Example } from './call-examples.ts'
import { ExampleCode } from './example-code.tsx'
import { QuickstartStep as Step } from './quickstart-step.tsx'
import { SendStep } from './send-step.tsx'
import { environmentLabels } from './key-labels.ts'
import { SandboxNumbers } from './sandbox-table.tsx'

/** The first calls, as programs to paste. */
export function QuickstartTab({ title, tabs }: ApiTabProps) {
  const [{ environment = 'test', language }, setView] = useView(apiKeysView)
  // In memory only, as long as the tab is open.
  const [typed, setTyped] = useState('')
  const { key, error } = judgeTyped(typed.trim(), environment)
  const code = (example: Example) => (
    <ExampleCode
      example={example}
      apiKey={key}
      language={language}
      onLanguage={(next) => setView({ language: next })}
    />
  )
  return (
    <Page title={title}>
      <Tabs {...tabs}>
        <ol className="flex max-w-220 list-none flex-col gap-8 py-6 screen-x">
          <Step number={1} title="Choose a key">
            <p className="text-muted-foreground">
              A test key reads, and sends to the sandbox: no phone gets the messages, and they cost nothing. You have
              none yet?{' '}
              <AreaLink to="api-management" search={writeView(apiKeysView, {})} className={linkClass}>
                Create a key
              </AreaLink>
            </p>
            <div>
              <Segmented
                label="Environment of the key"
                value={environment}
                options={environments.map((value) => ({ value, label: environmentLabels[value] }))}
                onValueChange={(next) => setView({ environment: next })}
              />
            </div>
            <Field
              label="API key"
              hint="optional"
              error={error}
              help="Paste it to fill it in below. It stays in this tab, and is not stored. Without it, the programs read the environment variable CARILLON_KEY."
            >
              <Input
                mono
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                placeholder={`carillon_${environment}_…`}
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
              />
            </Field>
          </Step>
          <Step number={2} title={firstCall.title}>
            <p className="text-muted-foreground">{firstCall.text}</p>
            {code(firstCall)}
          </Step>
          <SendStep number={3} environment={environment} renderCode={code} />
          <Step number={4} title="Sandbox numbers">
            <p className="text-muted-foreground">
              With a test key, the number decides what happens to a message. Use these to test every result.
            </p>
            <SandboxNumbers />
          </Step>
        </ol>
      </Tabs>
    </Page>
  )
}

const format = /^carillon_(test|live)_[\da-f]{8}_[\da-f]{64}_[\da-f]{8}$/

/** Only a text with the form of a key is filled in. */
export function judgeTyped(typed: string, environment: ApiEnvironment): { key: string; error?: string } {
  if (typed === '') return { key: '' }
  const found = format.exec(typed)?.[1]
  if (!found) return { key: '', error: 'This is not a whole key. Keys begin with carillon_' }
  if (found !== environment) return { key: '', error: `This is a ${found} key` }
  return { key: typed }
}
