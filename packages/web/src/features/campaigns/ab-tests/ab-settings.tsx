import { fieldMessages } from '../../../lib/field-messages.ts'
import { Field, FieldMessage } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { DurationField } from '../failover/duration-field.tsx'
import type { WizardState } from '../wizard/use-wizard.ts'
import { planOfTest } from './ab-draft.ts'
import { metrics, metricTexts } from './ab-metrics.ts'
import { PercentField } from './percent-field.tsx'

const shortestSeconds = 300
const longestSeconds = 604_800
const mostHeldOut = 50

/** Who is in the test, and how and when its winner is chosen. */
export function TestSettings({ wizard }: { wizard: WizardState }) {
  const { test, handle, counted } = wizard
  const { test: settings, variants, change } = test
  if (!settings) return null
  const { samplePercent, holdoutPercent, durationMinutes, autoSend } = settings
  const errors = fieldMessages(handle.error ?? null)
  const isSplit = samplePercent + holdoutPercent === 100
  return (
    <section aria-labelledby="test-settings" className="flex flex-col gap-4 border-t border-border pt-5">
      <h2 id="test-settings" className="text-section font-semibold">
        How the test runs
      </h2>
      <div className="grid grid-cols-2 gap-x-6 gap-y-4 max-md:grid-cols-1">
        <PercentField
          label="Recipients in the test"
          help={`Divided evenly among the ${variants.length + 1} messages.`}
          value={samplePercent}
          least={1}
          most={100 - holdoutPercent}
          error={errors['abTest.samplePercent']}
          onValue={(next) => change({ samplePercent: next })}
        />
        <PercentField
          label="Control group"
          help="Gets no message, so that the others can be compared with it."
          value={holdoutPercent}
          least={0}
          most={Math.min(mostHeldOut, 100 - samplePercent)}
          error={errors['abTest.holdoutPercent']}
          onValue={(next) => change({ holdoutPercent: next })}
        />
        <MetricField wizard={wizard} error={errors['abTest.metric']} />
        <div className="flex flex-col gap-1.5">
          <span className="font-medium">Decide after</span>
          <DurationField
            label="Time until the test is decided"
            seconds={durationMinutes * 60}
            shortest={shortestSeconds}
            longest={longestSeconds}
            unit={60}
            onSeconds={(seconds) => change({ durationMinutes: Math.round(seconds / 60) })}
          />
          {errors['abTest.durationMinutes'] ? <FieldMessage text={errors['abTest.durationMinutes']} /> : null}
          <p className="text-caption text-muted-foreground">From the start of the campaign.</p>
        </div>
      </div>
      {isSplit ? (
        <p className="text-dense text-muted-foreground">
          Everyone is in the test or in the control group: no one is left to send the winner to.
        </p>
      ) : (
        <AutoSend isOn={autoSend} onSwitch={(next) => change({ autoSend: next })} />
      )}
      <p role="status" className="text-dense font-medium tabular-nums empty:hidden">
        {counted ? sentence(planOfTest(counted)) : ''}
      </p>
    </section>
  )
}

function sentence(plan: string | undefined): string {
  return plan === undefined ? '' : `${plan}.`
}

function MetricField({ wizard, error }: { wizard: WizardState; error: string | undefined }) {
  const { test, problemOf } = wizard
  const metric = test.test?.metric ?? 'delivered'
  const problem = problemOf(metric)
  return (
    <Field
      label="Compare by"
      help={metricTexts[metric].help}
      error={problem ? `${metricTexts[metric].label}: ${problem}` : error}
    >
      <Select
        value={metric}
        onValueChange={(next) => test.changeNow({ metric: next })}
        options={metrics.map((value) => {
          const why = problemOf(value)
          const { label } = metricTexts[value]
          return { value, label: why ? `${label} (${why})` : label, disabled: why !== undefined && value !== metric }
        })}
      />
    </Field>
  )
}

function AutoSend({ isOn, onSwitch }: { isOn: boolean; onSwitch: (isOn: boolean) => void }) {
  return (
    <div className="flex items-start gap-3 border-y border-line py-3">
      <div className="min-w-0 flex-1">
        <p className="font-medium">Send the winner automatically if it is certain</p>
        <p className="text-dense text-muted-foreground">
          {isOn
            ? 'Certain means better than every other message with 95% confidence. Otherwise you choose in the report.'
            : 'You choose the winner in the report.'}
        </p>
      </div>
      <span className="pt-1">
        <Switch label="Send the winner automatically if it is certain" checked={isOn} onCheckedChange={onSwitch} />
      </span>
    </div>
  )
}
