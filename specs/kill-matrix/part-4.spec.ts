import { holdOwn } from './support.js'

holdOwn(3)
