# The oracle of rondo/statistics: answers a batch of cases with R's own tests and those of coin and exactRankTests.
# usage: Rscript statistics.R CASES ANSWERS
# A case is one line "kind option... | numbers | numbers"; its answer is one line of "name=value" words.
suppressPackageStartupMessages({
  library(exactRankTests)
  library(coin)
})
arguments <- commandArgs(trailingOnly = TRUE)

numbers <- function(text) as.numeric(strsplit(trimws(text), " +")[[1]])
# Cases with ties make R warn that it cannot be exact; that is what the other two packages are for.
quietly <- function(value) suppressWarnings(value)

rank_sum <- function(alternative, x, y) {
  ties <- anyDuplicated(c(x, y)) > 0
  group <- factor(c(rep("x", length(x)), rep("y", length(y))))
  constant <- length(unique(c(x, y))) == 1
  # exactRankTests compares deviations from a mean that it rounds; where its rounding misses the true mean it loses
  # one end of a two-sided p, so only one-sided answers and those with the true mean are comparable.
  n <- length(x) + length(y)
  true_mean <- length(x) / n * sum(rank(c(x, y))) == length(x) * (n + 1) / 2
  c(statistic = quietly(wilcox.test(x, y, exact = FALSE)$statistic[[1]]),
    base = if (ties) NA else wilcox.test(x, y, alternative = alternative, exact = TRUE)$p.value,
    exactRankTests = if (alternative == "two.sided" && !true_mean) NA else
      wilcox.exact(x, y, alternative = alternative, exact = TRUE)$p.value,
    coin = if (constant) NA else
      pvalue(wilcox_test(c(x, y) ~ group, distribution = "exact", alternative = alternative))[[1]],
    normal = if (constant) NA else
      quietly(wilcox.test(x, y, alternative = alternative, exact = FALSE, correct = TRUE)$p.value))
}

signed_rank <- function(alternative, zeros, d) {
  plain <- anyDuplicated(abs(d)) == 0 && all(d != 0)
  wilcoxon <- zeros == "wilcoxon"
  c(statistic = if (wilcoxon) quietly(wilcox.test(d, exact = FALSE)$statistic[[1]]) else NA,
    base = if (plain) wilcox.test(d, alternative = alternative, exact = TRUE)$p.value else NA,
    exactRankTests = if (wilcoxon) quietly(wilcox.exact(d, alternative = alternative, exact = TRUE)$p.value) else NA,
    coin = pvalue(wilcoxsign_test(d ~ rep(0, length(d)), distribution = "exact", alternative = alternative,
                                  zero.method = if (wilcoxon) "Wilcoxon" else "Pratt"))[[1]],
    normal = if (wilcoxon) quietly(wilcox.test(d, alternative = alternative, exact = FALSE, correct = TRUE)$p.value)
             else NA)
}

# Whole differences, so that sums of them compare exactly.
randomization <- function(alternative, d) {
  signs <- as.matrix(expand.grid(rep(list(c(-1, 1)), length(d))))
  sums <- as.vector(signs %*% abs(d))
  p <- switch(alternative, less = mean(sums <= sum(d)), greater = mean(sums >= sum(d)),
              two.sided = mean(abs(sums) >= abs(sum(d))))
  c(statistic = mean(d), base = p)
}

bca <- function(level, values, replicates) {
  estimate <- mean(values)
  z0 <- qnorm(mean(replicates < estimate) + mean(replicates == estimate) / 2)
  left_out <- sapply(seq_along(values), function(i) mean(values[-i]))
  d <- mean(left_out) - left_out
  a <- sum(d^3) / (6 * sum(d^2)^1.5)
  z <- z0 + qnorm(c((1 - level) / 2, (1 + level) / 2))
  ends <- quantile(replicates, pnorm(z0 + z / (1 - a * z)), type = 7, names = FALSE)
  plain <- quantile(replicates, c((1 - level) / 2, (1 + level) / 2), type = 7, names = FALSE)
  c(low = ends[1], high = ends[2], plain_low = plain[1], plain_high = plain[2])
}

answer <- function(line) {
  parts <- strsplit(line, "|", fixed = TRUE)[[1]]
  words <- strsplit(trimws(parts[1]), " +")[[1]]
  x <- numbers(parts[2])
  y <- if (length(parts) > 2) numbers(parts[3])
  switch(words[1],
    rank_sum = rank_sum(words[2], x, y),
    signed_rank = signed_rank(words[2], words[3], x),
    randomization = randomization(words[2], x),
    holm = setNames(p.adjust(x, "holm"), paste0("p", seq_along(x))),
    tau = c(tau = cor(x, y, method = "kendall")),
    w = { # one row per rater; Friedman's statistic is W times raters times (things - 1)
      raters <- matrix(x, nrow = as.integer(words[2]), byrow = TRUE)
      c(w = unname(friedman.test(raters)$statistic) / (nrow(raters) * (ncol(raters) - 1)))
    },
    friedman = { # one row per block
      blocks <- matrix(x, nrow = as.integer(words[2]), byrow = TRUE)
      test <- friedman.test(blocks)
      ranks <- colMeans(t(apply(blocks, 1, rank)))
      k <- ncol(blocks)
      q <- abs(ranks[1] - ranks[2]) / sqrt(k * (k + 1) / (12 * nrow(blocks)))
      c(statistic = unname(test$statistic), p = test$p.value, rank = ranks[1],
        nemenyi = ptukey(q, k, Inf, lower.tail = FALSE))
    },
    quantile = c(z = qnorm(x)),
    figures = c(setNames(quantile(x, c(0.1, 0.25, 0.5, 0.75, 0.9), names = FALSE), c("p10", "q1", "median", "q3", "p90")),
                mean = mean(x), deviation = sd(x)),
    bca = bca(as.numeric(words[2]), x, y))
}

lines <- vapply(readLines(arguments[1]), function(line) {
  values <- answer(line)
  paste(sprintf("%s=%.17g", names(values), values), collapse = " ")
}, "")
writeLines(unname(lines), arguments[2])
