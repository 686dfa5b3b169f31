# Groups of a study worked out apart from Rondo, by the paper's rule: candidates by median rank, then mean rank, then the
# more votes; a border above a candidate whose ranks differ from those of every candidate above it (two-sided exact rank
# sum test of coin, p < 0.25).
# usage: Rscript study_truth.R RANKS GROUPS
# RANKS: tab-separated lines "query candidate rank", one for each vote that counts. GROUPS: lines "query candidate group".
suppressPackageStartupMessages(library(coin))
arguments <- commandArgs(trailingOnly = TRUE)
votes <- read.table(arguments[1], sep = "\t", col.names = c("query", "candidate", "rank"), colClasses = c("character", "character", "numeric"))
threshold <- 0.25
p_of <- function(x, y) {
  if (length(unique(c(x, y))) == 1) return(1)
  side <- factor(c(rep("x", length(x)), rep("y", length(y))))
  pvalue(wilcox_test(c(x, y) ~ side, distribution = "exact"))[[1]]
}
out <- file(arguments[2], "w")
for (query in unique(votes$query)) {
  ranks <- split(votes$rank[votes$query == query], votes$candidate[votes$query == query])
  ranks <- ranks[order(sapply(ranks, median), sapply(ranks, mean), -lengths(ranks))]
  group <- 1
  for (i in seq_along(ranks)) {
    if (i > 1) {
      differs <- TRUE
      # The nearest first: most have no border, and it shows at once. An equal p is not below, whatever its last bits.
      for (j in rev(seq_len(i - 1))) {
        if (!(p_of(ranks[[i]], ranks[[j]]) < threshold - 1e-9)) { differs <- FALSE; break }
      }
      if (differs) group <- group + 1
    }
    writeLines(paste(query, names(ranks)[i], group, sep = "\t"), out)
  }
}
close(out)
