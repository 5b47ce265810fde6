import type { ProviderPreset } from '../../provider.ts'
import type { HttpGatewayConfig } from './config.ts'

type Preset = ProviderPreset<HttpGatewayConfig>

const plain: Preset = {
  name: 'json',
  label: 'Plain JSON',
  config: {
    url: 'https://gateway.example/gateway/send',
    auth: 'basic',
    contentType: 'json',
    bodyTemplate:
      '{"to":"{{to}}","from":"{{from}}","text":"{{text}}","ref":"{{reference}}","entityId":"{{entityId}}","templateId":"{{templateId}}","dlrUrl":"{{reportUrl}}"}',
    idPath: 'id',
    errorCodePath: 'error',
    reportReference: 'ref',
    errorMap: [{ match: 'invalid-number', reason: 'invalid_number', action: 'reject' }],
  },
}

const twilio: Preset = {
  name: 'twilio',
  label: 'Twilio',
  config: {
    url: 'https://api.twilio.com/2010-04-01/Accounts/{{authUser}}/Messages.json',
    auth: 'basic',
    contentType: 'urlencoded',
    bodyTemplate: 'To={{to}}&From={{from}}&Body={{text}}&StatusCallback={{reportUrl}}%3Fref%3D{{reference}}',
    successRule: 'id',
    idPath: 'sid',
    errorCodePath: 'code',
    errorTextPath: 'message',
    errorMap: [
      { match: '20003', reason: 'channel_auth', action: 'stop-account' },
      { match: '20429', reason: 'throughput_limited', action: 'retry' },
      { match: '21211', reason: 'invalid_number', action: 'reject' },
      { match: '21408', reason: 'operator_rejected', action: 'reject' },
      { match: '21608', reason: 'operator_rejected', action: 'reject' },
      { match: '21610', reason: 'opted_out', action: 'reject' },
      { match: '21614', reason: 'invalid_number', action: 'reject' },
      { match: '30003', reason: 'number_unreachable', action: 'reject' },
      { match: '30004', reason: 'operator_rejected', action: 'reject' },
      { match: '30005', reason: 'number_unreachable', action: 'reject' },
      { match: '30006', reason: 'invalid_number', action: 'reject' },
      { match: '30007', reason: 'content_blocked', action: 'reject' },
    ],
    reportFormat: 'form',
    reportId: 'MessageSid',
    reportReference: 'ref',
    reportStatus: 'MessageStatus',
    reportError: 'ErrorCode',
    reportTime: '',
    inboundFormat: 'form',
    inboundFrom: 'From',
    inboundTo: 'To',
    inboundText: 'Body',
    inboundTime: '',
    inboundId: 'MessageSid',
    replyBody: '<Response/>',
    replyType: 'text/xml',
    signature: 'twilio',
  },
}

const msg91: Preset = {
  name: 'msg91',
  label: 'MSG91 (flow with the text as ##VAR1##)',
  config: {
    url: 'https://control.msg91.com/api/v5/flow',
    auth: 'header',
    authName: 'authkey',
    contentType: 'json',
    bodyTemplate:
      '{"template_id":"{{templateId}}","sender":"{{from}}","short_url":"0","recipients":[{"mobiles":"{{to}}","VAR1":"{{text}}"}]}',
    numberFormat: 'digits',
    successRule: 'json-equals',
    successPath: 'type',
    successValue: 'success',
    idPath: 'message',
    errorTextPath: 'message',
    errorMap: [
      { match: 'Invalid mobile', reason: 'invalid_number', action: 'reject' },
      { match: 'Authentication failure', reason: 'channel_auth', action: 'stop-account' },
      { match: 'DLT', reason: 'dlt_template', action: 'reject' },
    ],
    reportFormat: 'json-in-form',
    reportField: 'data',
    reportRoot: '[*].report[*]',
    reportId: '^requestId',
    reportNumber: 'number',
    reportStatus: 'status',
    reportError: 'failedReason',
    reportTime: 'date',
    statusMap: [
      { value: '1', status: 'delivered' },
      { value: '2', status: 'failed' },
      { value: '9', status: 'failed' },
      { value: '16', status: 'failed' },
      { value: '17', status: 'failed' },
      { value: '25', status: 'failed' },
    ],
  },
}

const kannel: Preset = {
  name: 'kannel',
  label: 'Kannel',
  config: {
    // The report URL is a parameter of the request URL, and Kannel replaces its own %d and %T in it, so both are escaped once
    // more.
    url: 'http://kannel.example:13013/cgi-bin/sendsms?username={{authUser}}&password={{authSecret}}&from={{from}}&to={{to}}&text={{text}}&charset=utf-8&coding={{codingKannel}}&dlr-mask=27&dlr-url={{reportUrl}}%3Fid%3D{{reference}}%26status%3D%25d%26at%3D%25T&meta-data=%3Fsmpp%3FPE_ID%3D{{entityId}}%26TEMPLATE_ID%3D{{templateId}}',
    method: 'GET',
    contentType: 'query',
    numberFormat: 'digits',
    idFrom: 'own',
    reportFormat: 'query',
    statusMap: [
      { value: '1', status: 'delivered' },
      { value: '2', status: 'failed' },
      { value: '4', status: 'sent' },
      { value: '8', status: 'sent' },
      { value: '16', status: 'failed' },
      { value: '34', status: 'failed' },
      { value: '66', status: 'ignore' },
    ],
  },
}

const jasmin: Preset = {
  name: 'jasmin',
  label: 'Jasmin',
  config: {
    url: 'http://jasmin.example:1401/send',
    contentType: 'urlencoded',
    bodyTemplate:
      'username={{authUser}}&password={{authSecret}}&to={{to}}&from={{from}}&coding={{coding}}&hex-content={{textHex}}&dlr=yes&dlr-level=3&dlr-method=POST&dlr-url={{reportUrl}}&custom_tlvs=%5B%5B5120,null,%22OctetString%22,%22{{entityId}}%22%5D,%5B5121,null,%22OctetString%22,%22{{templateId}}%22%5D%5D',
    numberFormat: 'digits',
    idFrom: 'pattern',
    idPath: 'Success "*"',
    successRule: 'contains',
    successValue: 'Success',
    errorMap: [
      { match: '403', reason: 'channel_auth', action: 'stop-account' },
      { match: '412', reason: 'invalid_number', action: 'reject' },
    ],
    reportFormat: 'form',
    reportId: 'id',
    reportStatus: 'message_status',
    reportError: 'err',
    reportTime: 'donedate',
    inboundFormat: 'form',
    inboundText: 'content',
    inboundTime: '',
    replyBody: 'ACK/Jasmin',
  },
}

/** The bulk SMS interface of several Indian gateways: parameters in the URL, `1701|number|id` as the response. */
const pipes: Preset = {
  name: 'pipes',
  label: 'Bulk SMS (answers 1701|number|id)',
  config: {
    url: 'https://gateway.example/bulksms/bulksms?username={{authUser}}&password={{authSecret}}&type={{unicode}}&dlr=1&destination={{to}}&source={{from}}&message={{text}}&entityid={{entityId}}&tempid={{templateId}}',
    method: 'GET',
    contentType: 'query',
    numberFormat: 'digits',
    successRule: 'starts-with',
    successValue: '1701',
    idFrom: 'pattern',
    idPath: '1701|{any}|*',
    errorMap: [
      { match: '1703', reason: 'channel_auth', action: 'stop-account' },
      { match: '1706', reason: 'invalid_number', action: 'reject' },
      { match: '1707', reason: 'sender_rejected', action: 'stop-account' },
      { match: '1710', reason: 'operator_rejected', action: 'retry' },
    ],
    reportFormat: 'query',
  },
}

/** Common gateways, complete except for names and keys. */
export const presets: Preset[] = [plain, twilio, msg91, kannel, jasmin, pipes]
