# Values of rank tests, of ranks and of mixed models by R, which tests/evaluation/r holds as files.
#
# Debian: r-base-core, r-cran-lme4, r-cran-lmertest. Then, from the project's folder:
#   Rscript tools/statistics_by_r.R tests/evaluation/r
suppressMessages(library(lmerTest))
folder <- commandArgs(trailingOnly = TRUE)[1]
set.seed(20240901)
number <- function(values) sprintf("%.15g", values)
save <- function(table, name) {
  write.csv(table, file.path(folder, name), row.names = FALSE, quote = FALSE)
}

# Lines with an intercept for each group: 2, 3 and more groups, with and without a difference
# between them (singular fits), equal and unequal sizes.
points <- fits <- NULL
cases <- expand.grid(groups = c(2, 3, 4, 5, 8, 20), spread = c(0, 0.03, 0.3), even = c(TRUE, FALSE))
for (i in seq_len(nrow(cases))) {
  case <- cases[i, ]
  g <- rep(seq_len(case$groups), each = 8)
  x <- round(runif(length(g), 0.4, 0.9), 3)
  start <- rnorm(case$groups, 0, case$spread)[g]
  y <- round(0.2 + start + 0.1 * x + rnorm(length(g), 0, 0.05), 4)
  if (!case$even) {
    kept <- runif(length(g)) > 0.25
    g <- g[kept]; x <- x[kept]; y <- y[kept]
  }
  data <- data.frame(g = factor(g), x = x, y = y)
  control <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-10, maxfun = 1e5))
  fit <- suppressMessages(lmer(y ~ x + (1 | g), data = data, control = control))
  slope <- coef(summary(fit))["x", ]
  variances <- as.data.frame(VarCorr(fit))$vcov
  points <- rbind(points, data.frame(set = i, group = paste0("m", g), x = number(x), y = number(y)))
  fits <- rbind(fits, data.frame(
    set = i, groups = case$groups, n = length(g), intercept = number(fixef(fit)[1]),
    slope = number(slope["Estimate"]), slope_se = number(slope["Std. Error"]),
    df = number(slope["df"]), p = number(slope["Pr(>|t|)"]),
    group_variance = number(variances[1]), residual_variance = number(variances[2])
  ))
}
few <- c(1, 7, 13, 25, 26, 27, 31, 33)
save(points[points$set %in% few, ], "points.csv")
save(fits[fits$set %in% few, ], "lines.csv")

# Rank tests: exact without ties, and the approximation of many with ties.
values <- tests <- NULL
add <- function(name, first, second, statistic, p) {
  set <- if (is.null(tests)) 1 else nrow(tests) + 1
  most <- max(length(first), length(second))
  filled <- function(side) c(number(side), rep("", most - length(side)))
  values <<- rbind(values, data.frame(set = set, first = filled(first), second = filled(second)))
  tests <<- rbind(tests, data.frame(
    set = set, test = name, n = length(first), m = length(second),
    statistic = number(statistic), p = number(p)))
}
for (n in c(3, 5, 12, 30, 49, 60, 200)) {
  digits <- if (n < 50) 6 else 2
  one <- round(rnorm(n, 0.6, 0.2), digits)
  two <- round(one - 0.05 + rnorm(n, 0, 0.1), digits)
  found <- suppressWarnings(wilcox.test(one, two, paired = TRUE))
  # Differences are taken of whole numbers, so that equal ones are equal.
  scale <- 10^digits
  whole <- (round(one * scale) - round(two * scale))
  found <- suppressWarnings(wilcox.test(whole))
  total <- sum(rank(abs(whole[whole != 0])))
  add("signed", one, two, min(found$statistic, total - found$statistic), found$p.value)
  other <- round(rnorm(n + 2, 0.55, 0.2), digits)
  found <- suppressWarnings(wilcox.test(one, other))
  add("sum", one, other, found$statistic, found$p.value)
}
for (n in 3:9) {
  one <- round(rnorm(n), 6)
  two <- round(0.5 * one + rnorm(n), 6)
  found <- cor.test(one, two, method = "spearman", exact = TRUE)
  add("spearman", one, two, found$estimate, found$p.value)
}
few <- c(1:6, 11, 12, 15:21)
save(values[values$set %in% few, ], "values.csv")
save(tests[tests$set %in% few, ], "tests.csv")

# Places of four models by all signs of twelve templates' differences: Holm's correction over every
# pair and score, and the larger p of difference and sum where the best value is 0.
counts <- do.call(rbind, lapply(1:4, function(model) {
  right <- c(0.9, 0.85, 0.4, 0.15)[model]
  amb <- t(sapply(1:12, function(i) rmultinom(1, 8, c((1 - right) * c(0.9, 0.1), right))))
  data.frame(model = paste0("m", model), template = 1:12, n_ab = amb[, 1], n_ac = amb[, 2],
    n_au = amb[, 3], n_bb = rbinom(12, 4, c(0.9, 0.9, 0.9, 0.95)[model]),
    n_cc = rbinom(12, 4, c(0.9, 0.8, 0.3, 0.1)[model]))
}))
signs <- as.matrix(expand.grid(rep(list(c(-1, 1)), 12)))
chance <- function(values) {
  values <- values[values != 0]
  if (!length(values)) return(1)
  ranks <- rank(abs(values))
  mean(abs(signs[, seq_along(values)] %*% ranks) >= abs(sum(sign(values) * ranks)))
}
scores <- with(counts, list( # in whole replies
  accuracy_amb = n_au, accuracy_dis = n_bb + n_cc, diff_bias_amb = n_ab - n_ac,
  diff_bias_dis = n_bb - n_cc))
pairs <- do.call(rbind, lapply(combn(4, 2, simplify = FALSE), function(pair) {
  do.call(rbind, lapply(names(scores), function(name) {
    of <- function(at) scores[[name]][counts$model == paste0("m", at)]
    one <- of(pair[1])
    two <- of(pair[2])
    is_bias <- startsWith(name, "diff")
    p <- c(chance(one - two), if (is_bias) chance(one + two))
    best <- if (is_bias) 0 else 8
    first <- abs(mean(one) - best) < abs(mean(two) - best)
    data.frame(metric = name, model_1 = paste0("m", pair[1]), model_2 = paste0("m", pair[2]),
      p = p[1], largest = max(p), nearer = paste0("m", pair[if (first) 1 else 2]))
  }))
}))
pairs$p_holm <- p.adjust(pairs$p, "holm")
pairs$nearer[p.adjust(pairs$largest, "holm") >= 0.05] <- ""
places <- do.call(rbind, lapply(names(scores), function(name) {
  own <- pairs[pairs$metric == name, ]
  do.call(rbind, lapply(paste0("m", 1:4), function(model) {
    mine <- own[own$model_1 == model | own$model_2 == model, ]
    data.frame(metric = name, model = model,
      low = 1 + sum(!mine$nearer %in% c("", model)), high = 4 - sum(mine$nearer == model))
  }))
}))
pairs[c("p", "p_holm")] <- lapply(pairs[c("p", "p_holm")], number)
save(counts, "counts.csv")
save(pairs[names(pairs) != "largest"], "pairs.csv")
save(places, "places.csv")
