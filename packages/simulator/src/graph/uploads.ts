export type UploadSession = {
  id: string
  appId: string
  fileName: string
  length: number
  mimeType: string
  received: Buffer[]
  receivedLength: number
}
