# Raked weights, weighted shares and their standard errors by R's package survey, exact binomial tests
# and adjusted p, which tests/survey/r holds as files.
#
# Debian: r-base-core, r-cran-survey. Then, from the project's folder:
#   Rscript tools/survey_by_r.R tests/survey/r
suppressMessages(library(survey))
folder <- commandArgs(trailingOnly = TRUE)[1]
set.seed(20240902)
number <- function(values) sprintf("%.15g", values)
save <- function(table, name) {
  write.csv(table, file.path(folder, name), row.names = FALSE, quote = FALSE)
}

# Respondents whose answers differ with gender, age and region. Some were not asked a question, or
# named no group. Set 1 has mild margins, set 2 strong ones, set 3 three attributes, set 4 few people.
margins <- list(
  list(gender = c(f = 0.5, m = 0.5), band = c(young = 0.3, middle = 0.4, old = 0.3)),
  list(gender = c(f = 0.3, m = 0.7), band = c(young = 0.1, middle = 0.3, old = 0.6)),
  list(gender = c(f = 0.49, m = 0.51), band = c(young = 0.25, middle = 0.35, old = 0.4),
       region = c(north = 0.2, east = 0.5, south = 0.3)),
  list(gender = c(f = 0.5, m = 0.5))
)
sizes <- c(50, 50, 80, 20)
people <- wanted <- weighting <- shares <- NULL
for (set in seq_along(sizes)) {
  n <- sizes[set]
  gender <- sample(c("f", "m"), n, TRUE, c(0.6, 0.4))
  band <- sample(c("young", "middle", "old"), n, TRUE, c(0.45, 0.35, 0.2))
  region <- sample(c("north", "east", "south"), n, TRUE)
  lean <- 0.4 * (gender == "m") + 0.5 * (band == "old") - 0.3 * (region == "east")
  named <- ifelse(runif(n) < 0.2, "none", ifelse(runif(n) < plogis(0.7 + lean), "1", "2"))
  named[runif(n) < 0.15] <- ""
  picked <- sapply(seq_len(n), function(i) {
    if (runif(1) < 0.15) return("none")
    chance <- plogis(c(1 + lean[i], -0.5, -1 - lean[i], -2))
    found <- which(runif(4) < chance)
    if (length(found)) paste(found, collapse = "|") else "1"
  })
  understood <- ifelse(runif(n) < plogis(1.2 - lean), "2", "1")
  data <- data.frame(set, id = sprintf("r%03d", seq_len(n)), gender, band, region, named, picked, understood)
  plain <- svydesign(ids = ~1, weights = ~1, data = data)
  totals <- lapply(names(margins[[set]]), function(name) {
    table <- data.frame(names(margins[[set]][[name]]), Freq = unname(margins[[set]][[name]]) * n)
    names(table)[1] <- name
    table
  })
  formulas <- lapply(names(margins[[set]]), function(name) as.formula(paste("~", name)))
  raked <- rake(plain, formulas, totals, control = list(maxit = 500, epsilon = 1e-12 * n))
  # Calibration by the raking distance gives the same weights. Its residuals are exact, where those of
  # rake() are found by ten rounds.
  columns <- as.formula(paste("~", paste(names(margins[[set]]), collapse = "+")))
  matrix <- model.matrix(columns, data)
  population <- colSums(matrix * weights(raked))
  exact <- calibrate(plain, columns, population, calfun = "raking", epsilon = 1e-13, maxit = 200)
  stopifnot(max(abs(weights(raked) - weights(exact))) < 1e-8)
  data$weight <- weights(exact)
  people <- rbind(people, transform(data, weight = number(weight)))
  for (name in names(margins[[set]])) {
    part <- margins[[set]][[name]]
    wanted <- rbind(wanted, data.frame(set, attribute = name, value = names(part), share = number(part)))
  }
  w <- data$weight
  weighting <- rbind(weighting, data.frame(
    set, respondents = n, effective = number(n / (1 + mean((w - mean(w))^2) / mean(w)^2)),
    lightest = number(min(w)), heaviest = number(max(w))))

  # A share of those in a domain, by both designs: weights taken as given, and as raked.
  add <- function(subject, rule, chosen, domain, times = 1) {
    given <- svydesign(ids = ~1, weights = ~weight, data = data)
    one <- function(design) {
      design <- update(design, chosen = as.numeric(chosen), domain = as.numeric(domain))
      svymean(~chosen, subset(design, domain == 1), deff = "replace")
    }
    found <- one(exact)
    by_rounds <- one(raked)
    of_given <- one(given)
    stopifnot(abs(SE(found) / SE(by_rounds) - 1) < 1e-3)
    share <- coef(found)[[1]]
    shares <<- rbind(shares, data.frame(
      set, subject, rule, n = sum(domain), value = number(times * share),
      se = number(times * SE(found)[1]), design_effect = number(deff(found)[[1]]),
      se_given = number(times * SE(of_given)[1]), effect_given = number(deff(of_given)[[1]]),
      kish = number(sum(w[domain])^2 / sum(w[domain]^2))))
  }
  asked <- named != ""
  add("q-1", "two_thirds", named == "1", named %in% c("1", "2"))
  add("q-1", "no_stereotype", named == "none", asked)
  votes <- sapply(1:4, function(code) grepl(code, picked, fixed = TRUE))
  sums <- colSums(votes * w)
  some <- picked != "none"
  # In equal shares: four options count. Whichever side decides, both are given.
  add("q-2", "most", votes[, which.max(sums)], some, 4)
  add("q-2", "fewest", votes[, which.min(sums)], some, 4)
  add("q-2", "target_share", votes[, which.max(sums)], some)
  add("q-2", "no_stereotype", !some, rep(TRUE, n))
  add("craft-001", "comprehension", understood == "2", rep(TRUE, n))
}
save(people, "people.csv")
save(wanted, "margins.csv")
save(weighting, "weighting.csv")
save(shares, "shares.csv")

# Exact tests of a share against two thirds and a half, Wilson's interval, and the adjustment by
# Benjamini and Hochberg over all of them.
tests <- NULL
for (n in c(1, 12, 96, 240)) for (k in unique(round(n * c(0, 0.3, 0.5, 2 / 3, 0.8, 1)))) {
  for (threshold in c(2 / 3, 1 / 2)) {
    wilson <- suppressWarnings(prop.test(k, n, correct = FALSE))$conf.int
    tests <- rbind(tests, data.frame(
      k, n, threshold,
      more = binom.test(k, n, threshold, "greater")$p.value,
      fewer = binom.test(k, n, threshold, "less")$p.value,
      low = wilson[1], high = wilson[2]))
  }
}
tests$adjusted <- p.adjust(tests$more, "BH")
tests[3:8] <- lapply(tests[3:8], number)
save(tests, "tests.csv")

# Beta-binomial shares of a category, summed out over 2,000 means and 200 pulls towards them: few
# answers that differ, and many that are alike, in which nearly nothing is left open.
shrunk <- NULL
categories <- list(
  few = list(k = c(20, 18, 9, 25, 17, 0, 1), n = c(25, 27, 20, 25, 25, 3, 1)),
  many = list(k = rbinom(8, 2500, 0.66), n = rep(2500, 8)))
for (name in names(categories)) {
  k <- categories[[name]]$k
  n <- categories[[name]]$n
  means <- (1:2000 - 0.5) / 2000
  sums <- lapply((1:200 - 0.5) / 200, function(pull) {
    size <- median(n) * pull / (1 - pull)
    a <- means * size
    b <- (1 - means) * size
    logs <- -length(k) * lbeta(a, b)
    for (i in seq_along(k)) logs <- logs + lbeta(a + k[i], b + n[i] - k[i])
    weight <- exp(logs - sum(dbinom(k, n, k / n, log = TRUE) - lchoose(n, k)))
    c(sum(weight), sapply(seq_along(k), function(i) c(sum(weight * (a + k[i]) / (size + n[i])), sum(
      weight * pbeta(2 / 3, a + k[i], b + n[i] - k[i], lower.tail = FALSE)))))
  })
  whole <- Reduce(`+`, sums)
  found <- matrix(whole[-1] / whole[1], 2)
  shrunk <- rbind(shrunk, data.frame(category = name, k, n, shrunk = number(found[1, ]),
    above = number(found[2, ])))
}
save(shrunk, "shrunk.csv")
