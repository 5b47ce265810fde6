/**
 * Files of the organisation: where their bytes live, what kind they are, who put them there.
 * What a file means (media, an audience) is the business of whoever keeps it.
 */
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
export { readMediaType } from './media-types.ts'
export { fileCron, fileJobs, sweepFiles } from './sweep-files.ts'
export { startTemporarySweep, sweepTemporary } from './sweep-temporary.ts'
