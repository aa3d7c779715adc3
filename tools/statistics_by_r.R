# Values of rank tests and of mixed models by R, which tests/evaluation/r holds as files.
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
