/** Files of an organisation: storage, type and owner. What they are used for (media, audience) is defined by other modules. */
export { createFileStore, type FileStore } from './file-store.ts'
export { fileHandlers } from './handlers.ts'
export {
  assertStorage,
  forgetFile,
  getFile,
  recordFile,
  saveUpload,
  type FilePurpose,
  type FileRecord,
} from './keep-file.ts'
export { openStored } from './open-stored.ts'
export { readMediaType } from './media-types.ts'
export { storeMedia } from './store-media.ts'
export { fileCron, fileJobs, sweepFiles } from './sweep-files.ts'
export { startTemporarySweep, sweepTemporary } from './sweep-temporary.ts'
