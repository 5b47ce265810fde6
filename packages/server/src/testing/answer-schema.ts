import { endpoints, type Endpoint, type EndpointName } from '@carillon/contract'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describeContract } from '../http/openapi.ts'

type Content = { 'application/json'?: { schema: object } }
type Operation = { operationId: string; responses: Record<string, { content?: Content; $ref?: string }> }

const document = describeContract(endpoints as Record<string, Endpoint>, 'test')
// Operations have the shape `describeContract` gives them.
const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as Operation[])
const ajv = new Ajv2020({ strict: false, allErrors: true, schemas: [{ ...document, $id: 'openapi.json' }] })
formats.default(ajv)
const validators = new Map<string, ValidateFunction>()

/** Validates a response against the OpenAPI document; returns the error or undefined. */
export function findSchemaError(name: EndpointName, status: number, body: unknown): string | undefined {
  const key = `${name} ${status === 200 ? 200 : 'default'}`
  const validate = validators.get(key) ?? compile(name, status === 200 ? '200' : 'default')
  validators.set(key, validate)
  if (validate(body)) return undefined
  return `${name} answered ${status} with a body that its OpenAPI schema refuses: ${ajv.errorsText(validate.errors)}`
}

function compile(name: EndpointName, status: string): ValidateFunction {
  const operation = operations.find(({ operationId }) => operationId === name)
  const schema = operation?.responses[status]?.content?.['application/json']?.schema
  return ajv.compile(JSON.parse(JSON.stringify(schema ?? {}).replaceAll('"#/', '"openapi.json#/')) as object)
}
