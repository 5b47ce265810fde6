export type WrittenCall = {
  method: string
  url: string
  body?: Record<string, string> | undefined
  /** Empty: the environment variable CARILLON_KEY. */
  key: string
}

export const languages = ['curl', 'javascript', 'python'] as const
export type Language = (typeof languages)[number]

export const languageLabels: Record<Language, string> = { curl: 'curl', javascript: 'JavaScript', python: 'Python' }

/** The call as a program that can be pasted: into a shell, into a module of Node.js, into Python 3. */
export const writeCall: Record<Language, (call: WrittenCall) => string> = {
  curl: writeCurl,
  javascript: writeJavaScript,
  python: writePython,
}

const idempotencyKey = 'order-1042'

function writeCurl({ method, url, body, key }: WrittenCall): string {
  const lines = [
    method === 'GET' ? `curl ${inShell(url)}` : `curl -X ${method} ${inShell(url)}`,
    key ? `  -H ${inShell(`Authorization: Bearer ${key}`)}` : `  -H "Authorization: Bearer $CARILLON_KEY"`,
    ...(body
      ? [
          `  -H ${inShell(`Idempotency-Key: ${idempotencyKey}`)}`,
          `  -H 'Content-Type: application/json'`,
          `  -d ${inShell(JSON.stringify(body))}`,
        ]
      : []),
  ]
  return lines.join(' \\\n')
}

function writeJavaScript({ method, url, body, key }: WrittenCall): string {
  const authorization = key ? JSON.stringify(`Bearer ${key}`) : '`Bearer ${process.env.CARILLON_KEY}`'
  return [
    `const response = await fetch(${JSON.stringify(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: ${JSON.stringify(method)},`]),
    '  headers: {',
    `    Authorization: ${authorization},`,
    ...(body
      ? [`    'Idempotency-Key': ${JSON.stringify(idempotencyKey)},`, `    'Content-Type': 'application/json',`]
      : []),
    '  },',
    ...(body ? [`  body: JSON.stringify(${JSON.stringify(body)}),`] : []),
    '})',
    'console.log(response.status, await response.json())',
  ].join('\n')
}

/** With the standard library alone. A text of JSON is one of Python too. */
function writePython({ method, url, body, key }: WrittenCall): string {
  const authorization = key ? JSON.stringify(`Bearer ${key}`) : `"Bearer " + os.environ["CARILLON_KEY"]`
  return [
    'import json, os, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(url)},`,
    ...(method === 'GET' ? [] : [`    method=${JSON.stringify(method)},`]),
    '    headers={',
    `        "Authorization": ${authorization},`,
    ...(body
      ? [`        "Idempotency-Key": ${JSON.stringify(idempotencyKey)},`, '        "Content-Type": "application/json",']
      : []),
    '    },',
    ...(body ? [`    data=json.dumps(${JSON.stringify(body)}).encode(),`] : []),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status, json.load(response))',
  ].join('\n')
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
