import { holdMatrix, seedsTo } from './support.js'

holdMatrix(2, seedsTo(5))
