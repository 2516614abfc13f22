import { holdMatrix, seedsTo } from './support.js'

holdMatrix(1, seedsTo(5))
