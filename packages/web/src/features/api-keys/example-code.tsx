import { Copy, Play } from 'lucide-react'
import { useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { copy } from '../../ui/copy.ts'
import { Notice } from '../../ui/notice.tsx'
import { Pill } from '../../ui/pill.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toast.tsx'
import type { Example } from './call-examples.ts'
import { languageLabels, languages, writeCall, type Language } from './write-call.ts'

type ExampleCodeProps = {
  example: Example
  /** Empty without a pasted key. */
  apiKey: string
  language: Language
  onLanguage: (language: Language) => void
}

/** A call as a program in the chosen language, to copy or, if it only reads, to run here. */
export function ExampleCode({ example, apiKey, language, onLanguage }: ExampleCodeProps) {
  const { method, path, body, title } = example
  const url = location.origin + path
  const text = writeCall[language]({ method, url, body, key: apiKey })
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="min-w-0 overflow-hidden rounded-lg border border-border bg-card">
        <Tabs
          label={`Language: ${title}`}
          inset="list"
          value={language}
          onValueChange={onLanguage}
          items={languages.map((value) => ({ value, label: languageLabels[value] }))}
        >
          <pre
            tabIndex={0}
            aria-label={`${title} with ${languageLabels[language]}`}
            className="overflow-x-auto bg-sunken p-4 font-mono text-dense leading-relaxed tracking-normal whitespace-pre"
          >
            {text}
          </pre>
        </Tabs>
        <div className="flex flex-wrap gap-2 border-t border-border px-4 py-2.5">
          <Button size="sm" onClick={() => copy(text, () => toast.success('Copied'))}>
            <Copy aria-hidden /> Copy
          </Button>
        </div>
      </div>
      {method === 'GET' && apiKey ? <RunHere key={apiKey} url={url} apiKey={apiKey} /> : null}
    </div>
  )
}

type Answer = { status: number; ms: number; text: string }

/** Makes the call in the browser with the pasted key instead of the session. */
function RunHere({ url, apiKey }: { url: string; apiKey: string }) {
  const [answer, setAnswer] = useState<Answer>()
  const [hasFailed, setFailed] = useState(false)
  const [isRunning, setRunning] = useState(false)

  async function run() {
    setRunning(true)
    setFailed(false)
    try {
      setAnswer(await makeCall(url, apiKey))
    } catch {
      setFailed(true)
    } finally {
      setRunning(false)
    }
  }
  return (
    <div className="flex min-w-0 flex-col items-start gap-3">
      <Button size="sm" loading={isRunning} onClick={() => void run()}>
        <Play aria-hidden /> Run it here
      </Button>
      {hasFailed ? <Notice tone="bad">Unable to connect to the server</Notice> : null}
      <div role="status" className="w-full min-w-0">
        {answer && !hasFailed ? (
          <div className="flex min-w-0 flex-col items-start gap-2">
            <p className="flex items-center gap-2">
              <Pill tone={answer.status < 400 ? 'good' : 'bad'}>{answer.status}</Pill>
              <span className="text-dense text-muted-foreground">{formatCount(answer.ms)} ms</span>
            </p>
            <pre
              tabIndex={0}
              aria-label="Response"
              className="max-h-60 w-full overflow-auto rounded-lg border border-border bg-sunken p-4 font-mono text-dense leading-relaxed tracking-normal whitespace-pre"
            >
              {answer.text}
            </pre>
          </div>
        ) : null}
      </div>
    </div>
  )
}

async function makeCall(url: string, apiKey: string): Promise<Answer> {
  const begun = performance.now()
  const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } })
  const answer: unknown = await response.json()
  return {
    status: response.status,
    ms: Math.round(performance.now() - begun),
    text: JSON.stringify(answer, null, 2),
  }
}
